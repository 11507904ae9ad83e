//! Metadata as JSON, in the dialects of the two APIs, and the patches clients send.

use std::collections::BTreeMap;

use docstore::model::Ts;
use docstore::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::{
    DownloadToken, MAX_CUSTOM_METADATA_BYTES, MAX_DOWNLOAD_TOKENS, MAX_FIELD_BYTES, ObjectContext,
    ObjectMeta, Settable, TOKENS_KEY, contexts, retention, storage_class,
};

/// Characters that `encodeURIComponent` leaves unescaped.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// Percent-encodes one component of a URL.
pub fn encode_component(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

/// A change to metadata: the outer `None` leaves a field, `Some(None)` removes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    fields: Vec<(Field, Option<String>)>,
    custom: Option<Option<BTreeMap<String, Option<String>>>>,
    contexts: Option<contexts::Change>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    ContentType,
    ContentDisposition,
    ContentEncoding,
    ContentLanguage,
    CacheControl,
    CustomTime,
    StorageClass,
}

const FIELDS: [(&str, Field); 7] = [
    ("contentType", Field::ContentType),
    ("contentDisposition", Field::ContentDisposition),
    ("contentEncoding", Field::ContentEncoding),
    ("contentLanguage", Field::ContentLanguage),
    ("cacheControl", Field::CacheControl),
    ("customTime", Field::CustomTime),
    ("storageClass", Field::StorageClass),
];

impl Patch {
    /// Reads a JSON object; unknown and read-only fields are ignored, as both APIs do.
    ///
    /// # Errors
    /// `InvalidArgument` (`Metadata…`) for anything but an object, fields of wrong types, and over the limits.
    pub fn parse(body: &[u8]) -> Result<Self> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        let value: Value = serde_json::from_slice(body).map_err(|source| {
            Error::invalid("MetadataJson", format!("The metadata is not valid JSON: {source}."))
        })?;
        Self::from_json(&value)
    }

    /// As [`Self::parse`], of parsed JSON.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn from_json(value: &Value) -> Result<Self> {
        let Value::Object(object) = value else {
            return Err(Error::invalid("MetadataJson", "The metadata must be a JSON object."));
        };
        retention::refuse(object)?;
        let mut patch = Self::default();
        for (name, field) in FIELDS {
            match object.get(name) {
                None => {}
                Some(Value::Null) => patch.fields.push((field, None)),
                Some(value) => patch.fields.push((field, Some(checked(name, plain_text(name, value)?)?))),
            }
        }
        for (_, class) in patch.fields.iter().filter(|(field, _)| *field == Field::StorageClass) {
            class.as_deref().map_or(Ok(()), storage_class::check)?;
        }
        patch.contexts = object.get("contexts").map(contexts::parse).transpose()?;
        match object.get("metadata") {
            None => {}
            Some(Value::Null) => patch.custom = Some(None),
            Some(Value::Object(entries)) => {
                let mut custom = BTreeMap::new();
                for (key, value) in entries {
                    let value = match value {
                        Value::Null => None,
                        Value::String(text) => Some(text.clone()),
                        other => Some(other.to_string()),
                    };
                    custom.insert(key.clone(), value);
                }
                patch.custom = Some(Some(custom));
            }
            Some(_) => {
                return Err(Error::invalid(
                    "MetadataCustom",
                    "The field 'metadata' must be an object of strings.",
                ));
            }
        }
        Ok(patch)
    }

    /// Sets the content type unless the patch names one.
    #[must_use]
    pub fn with_default_type(mut self, content_type: Option<&str>) -> Self {
        if let Some(content_type) = content_type
            && !self.fields.iter().any(|(field, _)| *field == Field::ContentType)
        {
            self.fields.push((Field::ContentType, Some(content_type.to_owned())));
        }
        self
    }

    /// Sets contexts unless the patch names some: those of all sources, of which a later one's value wins.
    #[must_use]
    pub fn with_default_contexts<'c>(
        mut self,
        sources: impl Iterator<Item = &'c BTreeMap<String, ObjectContext>>,
    ) -> Self {
        let inherited = || {
            let all = sources.flatten().map(|(key, context)| (key.clone(), Some(context.value.clone())));
            Some(all.collect())
        };
        self.contexts.get_or_insert_with(inherited);
        self
    }

    /// True if custom metadata is given with at least one entry.
    pub fn replaces_custom(&self) -> bool {
        matches!(&self.custom, Some(Some(entries)) if !entries.is_empty())
    }

    /// True if contexts are given.
    pub fn replaces_contexts(&self) -> bool {
        self.contexts.is_some()
    }

    /// Turns null values of custom metadata into empty strings, as copying does.
    #[must_use]
    pub fn null_custom_to_empty(mut self) -> Self {
        if let Some(Some(entries)) = &mut self.custom {
            for value in entries.values_mut() {
                value.get_or_insert_default();
            }
        }
        self
    }

    /// Applies the change.
    ///
    /// # Errors
    /// `InvalidArgument` (`MetadataTooLarge`, `DownloadTokens`) when the result is over the limits.
    pub fn apply(&self, set: &mut Settable) -> Result<()> {
        for (field, value) in &self.fields {
            let slot = match field {
                Field::ContentType => &mut set.content_type,
                Field::ContentDisposition => &mut set.content_disposition,
                Field::ContentEncoding => &mut set.content_encoding,
                Field::ContentLanguage => &mut set.content_language,
                Field::CacheControl => &mut set.cache_control,
                Field::CustomTime => &mut set.custom_time,
                Field::StorageClass => &mut set.storage_class,
            };
            slot.clone_from(value);
        }
        match &self.custom {
            None => {}
            Some(None) => set.custom.clear(),
            Some(Some(entries)) => {
                for (key, value) in entries {
                    match value {
                        None => _ = set.custom.remove(key),
                        Some(value) => _ = set.custom.insert(key.clone(), value.clone()),
                    }
                }
            }
        }
        if let Some(change) = &self.contexts {
            contexts::apply(&mut set.contexts, change)?;
        }
        if let Some(tokens) = set.custom.remove(TOKENS_KEY) {
            for value in tokens.split(',').map(str::trim).filter(|token| !token.is_empty()) {
                if !set.tokens.iter().any(|known| known.value == value) {
                    set.tokens.push(DownloadToken { value: value.to_owned(), minted: false });
                }
            }
        }
        if set.tokens.len() > MAX_DOWNLOAD_TOKENS {
            return Err(Error::invalid(
                "DownloadTokens",
                format!(
                    "An object may have at most {MAX_DOWNLOAD_TOKENS} download tokens; revoke some first."
                ),
            ));
        }
        let bytes: usize = set.custom.iter().map(|(key, value)| key.len() + value.len()).sum();
        if bytes > MAX_CUSTOM_METADATA_BYTES {
            return Err(Error::invalid(
                "MetadataTooLarge",
                format!("The custom metadata has {bytes} bytes; the limit is {MAX_CUSTOM_METADATA_BYTES}."),
            ));
        }
        Ok(())
    }
}

fn plain_text(name: &str, value: &Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Error::invalid("MetadataType", format!("The field '{name}' must be a string."))),
    }
}

/// These fields become HTTP headers: no line breaks, nothing that a header cannot carry.
fn checked(name: &str, text: String) -> Result<String> {
    if text.len() > MAX_FIELD_BYTES {
        return Err(Error::invalid(
            "MetadataTooLarge",
            format!("The field '{name}' is longer than {MAX_FIELD_BYTES} bytes."),
        ));
    }
    if text.chars().any(char::is_control) {
        return Err(Error::invalid(
            "MetadataControl",
            format!("The field '{name}' contains a control character."),
        ));
    }
    Ok(text)
}

/// The metadata in the Firebase API's dialect: decimal CRC, tokens as a field.
pub fn firebase(meta: &ObjectMeta) -> Value {
    let mut out = Map::new();
    common(meta, &mut out);
    let tokens: Vec<&str> = meta.set.tokens.iter().map(|token| token.value.as_str()).collect();
    out.insert("crc32c".to_owned(), meta.digests.crc32c.to_string().into());
    out.insert("downloadTokens".to_owned(), tokens.join(",").into());
    out.entry("contentEncoding").or_insert_with(|| "identity".into());
    if !meta.set.custom.is_empty() {
        out.insert("metadata".to_owned(), json!(meta.set.custom));
    }
    Value::Object(out)
}

/// The metadata in the Cloud Storage API's dialect: base64 CRC, tokens among the custom metadata, links
/// below `origin` (scheme and host).
pub fn cloud(meta: &ObjectMeta, origin: &str) -> Value {
    let mut out = Map::new();
    common(meta, &mut out);
    let (bucket, name) = (&meta.bucket, encode_component(&meta.name));
    let generation = meta.generation;
    out.insert("kind".to_owned(), "storage#object".into());
    out.insert("id".to_owned(), format!("{bucket}/{}/{generation}", meta.name).into());
    out.insert("selfLink".to_owned(), format!("{origin}/storage/v1/b/{bucket}/o/{name}").into());
    out.insert(
        "mediaLink".to_owned(),
        format!("{origin}/download/storage/v1/b/{bucket}/o/{name}?generation={generation}&alt=media").into(),
    );
    out.insert("crc32c".to_owned(), meta.digests.crc32c_base64().into());
    out.insert("timeStorageClassUpdated".to_owned(), Ts::from_micros(meta.created).rfc3339_millis().into());
    if let Some(time) = &meta.set.custom_time {
        out.insert("customTime".to_owned(), time.as_str().into());
    }
    if let Some(components) = meta.components {
        out.insert("componentCount".to_owned(), components.into());
    }
    if !meta.set.contexts.is_empty() {
        out.insert("contexts".to_owned(), contexts::shown(&meta.set.contexts));
    }
    let mut custom = meta.set.custom.clone();
    if !meta.set.tokens.is_empty() {
        let tokens: Vec<&str> = meta.set.tokens.iter().map(|token| token.value.as_str()).collect();
        custom.insert(TOKENS_KEY.to_owned(), tokens.join(","));
    }
    if !custom.is_empty() {
        out.insert("metadata".to_owned(), json!(custom));
    }
    Value::Object(out)
}

fn common(meta: &ObjectMeta, out: &mut Map<String, Value>) {
    let mut put = |key: &str, value: String| _ = out.insert(key.to_owned(), Value::String(value));
    put("name", meta.name.clone());
    put("bucket", meta.bucket.clone());
    put("generation", meta.generation.to_string());
    put("metageneration", meta.metageneration.to_string());
    put("contentType", meta.content_type().to_owned());
    put("timeCreated", Ts::from_micros(meta.created).rfc3339_millis());
    put("updated", Ts::from_micros(meta.updated).rfc3339_millis());
    put("storageClass", meta.set.storage_class.as_deref().unwrap_or(storage_class::DEFAULT).to_owned());
    put("size", meta.digests.size.to_string());
    put("md5Hash", meta.digests.md5.clone());
    put("etag", meta.etag());
    for (key, value) in [
        ("contentDisposition", &meta.set.content_disposition),
        ("contentEncoding", &meta.set.content_encoding),
        ("contentLanguage", &meta.set.content_language),
        ("cacheControl", &meta.set.cache_control),
    ] {
        if let Some(value) = value {
            put(key, value.clone());
        }
    }
}

#[cfg(test)]
mod tests;
