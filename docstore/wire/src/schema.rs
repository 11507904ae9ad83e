//! The descriptor set: the service's methods and their HTTP rules.

use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor, Value};

use super::pb::DESCRIPTOR_SET;
use super::template::Template;
use docstore::error::{Error, Result};

/// The service's full name.
pub(super) const SERVICE: &str = "google.firestore.v1.Firestore";

/// One HTTP rule of one method.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The HTTP method.
    pub(super) verb: http::Method,
    /// The path's form.
    pub(super) template: Template,
    /// Target of the request body.
    pub(super) body: BodyField,
    /// The method that answers.
    pub(super) method: MethodDescriptor,
}

/// Target of an HTTP body in a request message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BodyField {
    /// There is none; parameters are in the query.
    None,
    /// It is the whole message.
    Whole,
    /// It is this field; parameters are in the query.
    Field(String),
}

/// The service's methods and HTTP rules.
#[derive(Debug)]
pub(super) struct Schema {
    /// The rules, those with a custom verb (`:commit`) first.
    pub(super) rules: Vec<Rule>,
    methods: Vec<MethodDescriptor>,
}

impl Schema {
    /// Reads the descriptor set that is built in.
    pub(super) fn load() -> Result<Self> {
        let pool = DescriptorPool::decode(DESCRIPTOR_SET)
            .map_err(|error| Error::internal("Descriptors", "the built-in descriptors are broken", error))?;
        let service = pool.get_service_by_name(SERVICE).ok_or_else(|| missing(SERVICE))?;
        let http = pool.get_extension_by_name("google.api.http").ok_or_else(|| missing("google.api.http"))?;
        let methods: Vec<_> = service.methods().collect();
        let mut rules = Vec::new();
        for method in &methods {
            if let Value::Message(rule) = method.options().get_extension(&http).as_ref() {
                read_rule(rule, method, &mut rules)?;
            }
        }
        rules.sort_by_key(|rule| !rule.template.has_verb());
        Ok(Self { rules, methods })
    }

    /// The methods that stream both ways, which WebChannel carries.
    pub(super) fn streams(&self) -> impl Iterator<Item = &MethodDescriptor> {
        self.methods.iter().filter(|method| method.is_client_streaming() && method.is_server_streaming())
    }
}

fn missing(name: &str) -> Error {
    Error::new(docstore::Code::Internal, "Descriptors", format!("the built-in descriptors lack {name}"))
}

fn read_rule(rule: &DynamicMessage, method: &MethodDescriptor, rules: &mut Vec<Rule>) -> Result<()> {
    for (verb, name) in [
        (http::Method::GET, "get"),
        (http::Method::PUT, "put"),
        (http::Method::POST, "post"),
        (http::Method::DELETE, "delete"),
        (http::Method::PATCH, "patch"),
    ] {
        if !rule.has_field_by_name(name) {
            continue;
        }
        let path = text(rule, name);
        let body = match text(rule, "body").as_str() {
            "" => BodyField::None,
            "*" => BodyField::Whole,
            field => BodyField::Field(field.to_owned()),
        };
        rules.push(Rule { verb, template: Template::parse(&path)?, body, method: method.clone() });
    }
    if let Some(more) = rule.get_field_by_name("additional_bindings") {
        for rule in more.as_list().unwrap_or_default().iter().filter_map(Value::as_message) {
            read_rule(rule, method, rules)?;
        }
    }
    Ok(())
}

fn text(message: &DynamicMessage, field: &str) -> String {
    message.get_field_by_name(field).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_http_rules() {
        let schema = Schema::load().unwrap();
        let mut rules: Vec<_> = schema
            .rules
            .iter()
            .map(|rule| format!("{} {} {} {:?}", rule.method.name(), rule.verb, rule.template, rule.body))
            .collect();
        rules.sort();
        insta::assert_snapshot!(rules.join("\n"));
    }
}
