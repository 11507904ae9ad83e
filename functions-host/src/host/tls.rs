//! TLS on the server's own ports: a certificate and its key from two files, which are read again when they change.
//!
//! On a port with TLS, callers of this machine may still speak plain HTTP: the programs that make exports do. Others are
//! told to use `https`.

mod certificate;

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use docstore::{Code, Error, Result};
use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::host::machine::stamp::{Reload, Stamp, follow, stamp};

pub(crate) use certificate::days_left;

/// Time limit of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(15);

/// First byte of a TLS connection: the type of a handshake record.
const HANDSHAKE_RECORD: u8 = 0x16;

/// Most certificates in a file: a server's own, and those up to its authority.
const MAX_CHAIN: usize = 16;

/// The files of a certificate and its key, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those of its authorities.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// The certificate in use, which can be replaced.
struct Current(RwLock<Arc<CertifiedKey>>);

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Current")
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read()))
    }
}

/// See the module's description. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    current: Arc<Current>,
    files: TlsFiles,
    stamps: [Stamp; 2],
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// A fault of the files, with the way out.
fn fault(file: &Path, why: impl fmt::Display) -> Error {
    let message = format!("the TLS file {} cannot be used: {why}", file.display());
    Error::new(Code::FailedPrecondition, "TlsFiles", message)
}

impl TlsFiles {
    /// The certificates of the file.
    fn chain(&self) -> Result<Vec<CertificateDer<'static>>> {
        let read = CertificateDer::pem_file_iter(&self.cert);
        let chain: std::result::Result<Vec<_>, _> = read.and_then(|read| read.take(MAX_CHAIN + 1).collect());
        let chain = chain.map_err(|cause| fault(&self.cert, cause))?;
        match chain.len() {
            0 => Err(fault(&self.cert, "there is no certificate in it; it must be in PEM")),
            1..=MAX_CHAIN => Ok(chain),
            _ => Err(fault(&self.cert, format!("it has more than {MAX_CHAIN} certificates"))),
        }
    }

    /// Reads both files and compares them with each other.
    fn read(&self) -> Result<CertifiedKey> {
        let chain = self.chain()?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|cause| fault(&self.key, cause))?;
        let provider = rustls::crypto::ring::default_provider();
        CertifiedKey::from_der(chain, key, &provider).map_err(|cause| match cause {
            rustls::Error::InconsistentKeys(_) => {
                fault(&self.key, format!("it is not the key of the certificate {}", self.cert.display()))
            }
            cause => fault(&self.key, cause),
        })
    }

    /// Days until the certificate ends, counted from `now` in seconds since the epoch; negative after its end.
    ///
    /// # Errors
    /// The files cannot be used.
    pub(crate) fn days_left(&self, now: i64) -> Result<i64> {
        let certified = self.read()?;
        let days = certified.cert.first().and_then(|certificate| days_left(certificate, now));
        days.ok_or_else(|| fault(&self.cert, "its end cannot be read"))
    }

    fn stamps(&self) -> [Stamp; 2] {
        [stamp(&self.cert), stamp(&self.key)]
    }
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// `TlsFiles`: the file, and why it cannot be used.
    pub fn load(files: TlsFiles) -> Result<Self> {
        let stamps = files.stamps();
        let current = Arc::new(Current(RwLock::new(Arc::new(files.read()?))));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let versions =
            versions.map_err(|cause| Error::internal("TlsVersions", "TLS cannot be set up", cause))?;
        let mut config = versions
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), current, files, stamps })
    }

    /// Follows the files until the task is aborted.
    pub(crate) fn follow(&self) -> JoinHandle<()> {
        tokio::spawn(follow(self.clone()))
    }

    /// The encrypted stream of a connection whose first byte has arrived.
    ///
    /// # Errors
    /// The handshake failed, or took too long.
    pub(crate) async fn accept(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        tokio::time::timeout(HANDSHAKE, self.acceptor.accept(stream)).await?
    }
}

impl Reload for Tls {
    const NAME: &'static str = "TLS certificate";
    const KEPT: &'static str = "the old certificate stays in use";

    fn file(&self) -> &Path {
        &self.files.cert
    }

    fn reload(&mut self) -> Option<Result<bool>> {
        let now = self.files.stamps();
        if now == self.stamps {
            return Some(Ok(false));
        }
        self.stamps = now;
        let next = self.files.read().map(|certified| *self.current.0.write() = Arc::new(certified));
        Some(next.map(|()| true))
    }
}

/// True if a connection begins with TLS. Waits for its first byte.
///
/// # Errors
/// The system's own; the connection was closed.
pub(crate) async fn begins_with_tls(stream: &TcpStream) -> std::io::Result<bool> {
    let mut first = [0];
    if stream.peek(&mut first).await? == 0 {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(first == [HANDSHAKE_RECORD])
}

/// True if both ends of a connection are on this machine.
pub(crate) fn is_of_this_machine(peer: SocketAddr, local: SocketAddr) -> bool {
    let (peer, local) = (peer.ip().to_canonical(), local.ip().to_canonical());
    peer.is_loopback() || peer == local
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with a certificate for a name, and its key.
    fn made(folder: &Path, name: &str) -> TlsFiles {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let files = TlsFiles { cert: folder.join("cert.pem"), key: folder.join("key.pem") };
        fs::write(&files.cert, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        files
    }

    fn in_use(tls: &Tls) -> Vec<u8> {
        tls.current.0.read().cert[0].to_vec()
    }

    #[test]
    fn a_changed_pair_is_read_again_and_a_bad_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let files = made(folder.path(), "cards.example");
        let mut tls = Tls::load(files.clone()).unwrap();
        let first = in_use(&tls);
        assert!(!tls.reload().unwrap().unwrap());
        // The certificate of another pair: it comes before its key does.
        let (other, longer) = (tempfile::tempdir().unwrap(), "a.longer.name.than.before.example");
        let next = made(other.path(), longer);
        fs::copy(&next.cert, &files.cert).unwrap();
        let error = tls.reload().unwrap().unwrap_err();
        assert!(error.message().contains("key.pem") && error.message().contains("is not the key"), "{error}");
        assert_eq!(in_use(&tls), first);
        assert!(!tls.reload().unwrap().unwrap(), "it is said once");
        fs::write(&files.key, fs::read_to_string(&next.key).unwrap() + "\n").unwrap();
        assert!(tls.reload().unwrap().unwrap());
        let second = in_use(&tls);
        assert_ne!(second, first);
        fs::remove_file(&files.cert).unwrap();
        let error = tls.reload().unwrap().unwrap_err();
        assert!(error.message().contains("cert.pem"), "{error}");
        assert_eq!(in_use(&tls), second);
    }

    #[test]
    fn files_of_other_things_are_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let files = made(folder.path(), "cards.example");
        let swapped = TlsFiles { cert: files.key.clone(), key: files.cert.clone() };
        let error = Tls::load(swapped).unwrap_err();
        assert!(error.message().contains("key.pem") && error.message().contains("no certificate"), "{error}");
        fs::write(&files.key, "no key").unwrap();
        let error = Tls::load(files).unwrap_err();
        assert_eq!(error.tag(), "TlsFiles");
        assert!(error.message().contains("key.pem"), "{error}");
    }

    #[test]
    fn the_days_left_are_counted_from_the_certificate() {
        const DAY: i64 = 86_400;
        let folder = tempfile::tempdir().unwrap();
        let mut files = made(folder.path(), "cards.example");
        for (year, end) in [(2049, 2_493_072_000), (2050, 2_524_608_000)] {
            // UTCTime ends with 2049; later times are of another type.
            let mut form = rcgen::CertificateParams::new(["cards.example".to_owned()]).unwrap();
            form.not_after = rcgen::date_time_ymd(year, 1, 1);
            let key = rcgen::KeyPair::generate().unwrap();
            files.cert = folder.path().join(format!("{year}.pem"));
            fs::write(&files.cert, form.self_signed(&key).unwrap().pem()).unwrap();
            fs::write(&files.key, key.serialize_pem()).unwrap();
            assert_eq!(files.days_left(end - 10 * DAY).unwrap(), 10, "{year}");
            assert_eq!(files.days_left(end - 1).unwrap(), 0, "{year}");
            assert_eq!(files.days_left(end + 1).unwrap(), -1, "{year}");
        }
    }

    #[test]
    fn plain_http_is_for_this_machine() {
        let of = |peer: &str, local: &str| is_of_this_machine(peer.parse().unwrap(), local.parse().unwrap());
        assert!(of("127.0.0.2:1", "127.0.0.1:5000"));
        assert!(of("[::ffff:127.0.0.1]:1", "[::]:5000"));
        assert!(of("192.0.2.7:1", "192.0.2.7:443"));
        assert!(!of("192.0.2.8:1", "192.0.2.7:443"));
        assert!(!of("[2001:db8::1]:1", "[2001:db8::2]:443"));
    }
}
