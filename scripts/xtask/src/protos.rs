//! Generates the Rust messages and the service trait of `google.firestore.v1`, without protoc.
//!
//! The generated sources are checked in, so that a build needs neither this tool nor the definitions.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, Value};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{FieldDescriptorProto, FileDescriptorSet};

/// The service's own definition; everything else is reached from it by imports.
const ROOT: &str = "google/firestore/v1/firestore.proto";

/// npm's copy of the definitions (Apache-2.0) that Google's own client ships.
const DEFAULT_SOURCE: &str = "suites/node_modules/@google-cloud/firestore/build/protos";

/// Folder of the generated code.
const TARGET: &str = "docstore/wire/src/pb";

/// The packages the server uses as Rust types. `google.api` holds options only, which the descriptor set keeps.
const PACKAGES: [&str; 3] = ["google.firestore.v1", "google.rpc", "google.r#type"];

/// The descriptor set's file name.
const DESCRIPTORS: &str = "firestore.bin";

/// Regenerates everything from the definitions in `source`.
pub(crate) fn run(source: Option<&str>) -> Result<(), Box<dyn Error>> {
    let root = workspace()?;
    let source = source.map_or_else(|| root.join(DEFAULT_SOURCE), PathBuf::from);
    if !source.join(ROOT).is_file() {
        return Err(format!(
            "{} has no {ROOT}: run `npm ci` in suites/, or name the folder that holds it",
            source.display()
        )
        .into());
    }
    let descriptors = add_verify(&compile(&source)?)?;
    let target = root.join(TARGET);
    fs::create_dir_all(&target)?;
    fs::write(target.join(DESCRIPTORS), &descriptors)?;
    generate(FileDescriptorSet::decode(descriptors.as_slice())?, &target)?;
    report(&target)
}

/// The workspace's root: two folders above this package.
fn workspace() -> Result<PathBuf, Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).ok_or("this package is not where it was built")?;
    Ok(root.to_owned())
}

/// Parses and links the definitions; comments and positions are left out.
fn compile(source: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut compiler = protox::Compiler::new([source])?;
    compiler.include_imports(true).include_source_info(false).open_file(ROOT)?;
    Ok(compiler.encode_file_descriptor_set())
}

/// Adds `Write.verify`, with which the browser's transactions check documents they only read. Google's definitions for
/// server clients lack the field; those in the browser's client have it.
///
/// Works on dynamic messages: typed ones would drop the HTTP rules, which are extensions.
fn add_verify(descriptors: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let pool = DescriptorPool::decode(descriptors)?;
    let set =
        pool.get_message_by_name("google.protobuf.FileDescriptorSet").ok_or("descriptor.proto is missing")?;
    let mut set = DynamicMessage::decode(set, descriptors)?;
    let file = named(&mut set, "file", "google/firestore/v1/write.proto")?;
    let write = named(file, "message_type", "Write")?;
    let has_verify = list(write, "field")?.iter().any(|field| name_of(field) == Some("verify"));
    if !has_verify {
        let operation = list(write, "oneof_decl")?
            .iter()
            .position(|oneof| name_of(oneof) == Some("operation"))
            .ok_or("the message Write has no oneof `operation`")?;
        let verify = FieldDescriptorProto {
            name: Some("verify".into()),
            json_name: Some("verify".into()),
            number: Some(5),
            label: Some(Label::Optional.into()),
            r#type: Some(Type::String.into()),
            oneof_index: Some(i32::try_from(operation)?),
            ..FieldDescriptorProto::default()
        };
        let kind = pool
            .get_message_by_name("google.protobuf.FieldDescriptorProto")
            .ok_or("descriptor.proto is missing")?;
        let mut field = DynamicMessage::new(kind);
        field.transcode_from(&verify)?;
        list(write, "field")?.push(Value::Message(field));
    }
    Ok(set.encode_to_vec())
}

/// The messages in a repeated field.
fn list<'a>(message: &'a mut DynamicMessage, field: &str) -> Result<&'a mut Vec<Value>, Box<dyn Error>> {
    let value = message.get_field_by_name_mut(field).and_then(Value::as_list_mut);
    value.ok_or_else(|| format!("the definitions have no list `{field}`").into())
}

/// The message of this name in a repeated field.
fn named<'a>(
    message: &'a mut DynamicMessage,
    field: &str,
    name: &str,
) -> Result<&'a mut DynamicMessage, Box<dyn Error>> {
    list(message, field)?
        .iter_mut()
        .find(|item| name_of(item) == Some(name))
        .and_then(Value::as_message_mut)
        .ok_or_else(|| format!("the definitions have no {name}").into())
}

fn name_of(message: &Value) -> Option<&str> {
    match message.as_message()?.get_field_by_name("name")? {
        std::borrow::Cow::Borrowed(name) => name.as_str(),
        std::borrow::Cow::Owned(_) => None,
    }
}

fn generate(descriptors: FileDescriptorSet, target: &Path) -> Result<(), Box<dyn Error>> {
    let scratch = target.join(".generating");
    fs::create_dir_all(&scratch)?;
    tonic_prost_build::configure()
        .build_client(false)
        .build_transport(false)
        .emit_rerun_if_changed(false)
        .btree_map(".")
        .bytes(".google.firestore.v1")
        .out_dir(&scratch)
        .compile_fds(descriptors)?;
    for package in PACKAGES {
        let name = format!("{package}.rs");
        fs::rename(scratch.join(&name), target.join(name.replace("r#", "")))?;
    }
    fs::remove_dir_all(&scratch)?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command's answer")]
fn report(target: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<_> = fs::read_dir(target)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    for file in files {
        println!("{:>8} bytes  {}", file.metadata()?.len(), file.path().display());
    }
    Ok(())
}
