use bytes::Bytes;
use futures::{StreamExt, executor::block_on, stream};
use proptest::prelude::*;

use super::*;

fn stream_of(body: &[u8], cuts: &[usize]) -> ByteStream {
    let mut pieces = Vec::new();
    let mut rest = Bytes::copy_from_slice(body);
    for cut in cuts {
        let cut = cut % (rest.len() + 1);
        pieces.push(Ok(rest.split_to(cut)));
    }
    pieces.push(Ok(rest));
    stream::iter(pieces).boxed()
}

fn read_all(body: &[u8], boundary: &str, cuts: &[usize]) -> Result<Vec<(PartHeaders, Vec<u8>)>> {
    block_on(async {
        let mut parts = Multipart::new(stream_of(body, cuts), boundary);
        let mut all = Vec::new();
        while let Some(headers) = parts.next_part().await? {
            all.push((headers, parts.bytes(1 << 20).await?.to_vec()));
        }
        Ok(all)
    })
}

fn join(boundary: &str, parts: &[&[u8]], eol: &str, tail: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        body.extend_from_slice(format!("--{boundary}{eol}Content-Type: x/y{eol}{eol}").as_bytes());
        body.extend_from_slice(part);
        body.extend_from_slice(eol.as_bytes());
    }
    body.extend_from_slice(format!("--{boundary}--{tail}").as_bytes());
    body
}

#[test]
fn boundary_may_be_quoted_and_type_must_fit() {
    assert_eq!(boundary_of("multipart/related; boundary=abc", "multipart/related").unwrap(), "abc");
    assert_eq!(boundary_of("multipart/related; boundary=\"a b\"", "multipart/related").unwrap(), "a b");
    assert_eq!(boundary_of("multipart/related;boundary='q'; x=y", "multipart/related").unwrap(), "q");
    for bad in ["foo", "multipart/related", "multipart/related; boundary=", "multipart/form-data; boundary=a"]
    {
        assert!(
            boundary_of(bad, "multipart/related").unwrap_err().message().starts_with("Bad content type.")
        );
    }
}

#[test]
fn truncated_and_boundless_bodies_are_errors() {
    let body = join("b", &[b"{}", b"data"], "\r\n", "");
    let cut = &body[..body.len() - 6];
    assert_eq!(read_all(cut, "b", &[]).unwrap_err().tag(), "MultipartTruncated");
    assert_eq!(read_all(&vec![b'x'; 40_000], "b", &[]).unwrap_err().tag(), "MultipartBoundaryMissing");
    assert_eq!(read_all(b"--b\r\nnonsense\r\n\r\n", "b", &[]).unwrap_err().tag(), "MultipartHeader");
    let long = format!("--b\r\nA: {}", "x".repeat(MAX_PART_HEADER_BYTES + 1));
    assert_eq!(read_all(long.as_bytes(), "b", &[]).unwrap_err().tag(), "MultipartHeaderTooLong");
}

proptest! {
    /// Every part comes out unchanged, for any data and any cuts by the network.
    #[test]
    fn any_chunking_reads_the_same(
        first in proptest::collection::vec(any::<u8>(), 0..60),
        noise in "(\r|\n|-|--|b|\r\n--|\n--bo|--bound|x){0,40}",
        cuts in proptest::collection::vec(any::<usize>(), 0..30),
        crlf in any::<bool>(),
        tail in prop_oneof![Just(""), Just("\r\n"), Just("\r\nepilogue")],
    ) {
        let eol = if crlf { "\r\n" } else { "\n" };
        let clean = |data: &[u8]| {
            // The boundary itself must not occur; and a bare line feed ending cannot give back a last "\r".
            !String::from_utf8_lossy(data).contains("--boundary") && (crlf || data.last() != Some(&b'\r'))
        };
        prop_assume!(clean(&first) && clean(noise.as_bytes()));
        let body = join("boundary", &[&first, noise.as_bytes()], eol, tail);
        let parts = read_all(&body, "boundary", &cuts).unwrap();
        prop_assert_eq!(parts.len(), 2);
        prop_assert_eq!(parts[0].0.get("content-type"), Some("x/y"));
        prop_assert_eq!(&parts[0].1, &first);
        prop_assert_eq!(&parts[1].1, &noise.as_bytes().to_vec());
    }
}
