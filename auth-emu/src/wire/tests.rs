use serde_json::json;

use super::*;

fn parsed<T: DeserializeOwned>(body: &str) -> Result<T> {
    read(parse_json(body.as_bytes())?)
}

#[test]
fn snake_case_and_camel_case_are_the_same() {
    for body in [r#"{"photo_url":"x","return_secure_token":true}"#, r#"{"photoUrl":"x"}"#] {
        let request: SignUpRequest = parsed(body).unwrap();
        assert_eq!(request.photo_url.unwrap().into_string(), "x");
    }
}

#[test]
fn enums_come_by_name_or_by_number() {
    for body in [r#"{"requestType":"EMAIL_SIGNIN"}"#, r#"{"requestType":6}"#] {
        let request: OobRequest = parsed(body).unwrap();
        assert_eq!(request.request_type, Some(OobRequestType::EmailSignin));
    }
    let error = parsed::<OobRequest>(r#"{"requestType":99}"#).unwrap_err();
    assert!(error.message().starts_with("Invalid JSON payload received."), "{error}");
}

#[test]
fn numbers_are_strings_where_strings_are_declared() {
    let request: UpdateRequest = parsed(r#"{"validSince":1611780718}"#).unwrap();
    assert_eq!(&*request.valid_since.unwrap(), "1611780718");
}

#[test]
fn null_is_absence_and_no_body_is_an_empty_message() {
    assert!(parsed::<SignUpRequest>(r#"{"email":null}"#).unwrap().email.is_none());
    assert!(parsed::<SignUpRequest>("").unwrap().email.is_none());
    assert!(parsed::<SignUpRequest>(" \n").unwrap().email.is_none());
}

#[test]
fn a_null_in_place_of_the_second_factors_takes_none_away() {
    for body in [r#"{"mfa":{}}"#, r#"{"mfa":{"enrollments":[]}}"#] {
        assert_eq!(parsed::<UpdateRequest>(body).unwrap().mfa.unwrap().enrollments.len(), 0);
    }
    for list in ["null", "{}", "\"none\""] {
        let error = parsed::<UpdateRequest>(&format!(r#"{{"mfa":{{"enrollments":{list}}}}}"#)).unwrap_err();
        assert_eq!(error.message(), "Invalid JSON payload received. /mfa/enrollments must be array");
    }
}

#[test]
fn what_is_not_a_message_is_refused_and_says_why() {
    for (body, says) in [
        ("[]", "Root element must be a message."),
        ("{", "EOF while parsing"),
        (r#"{"email":{}}"#, "a string"),
        (r#"{"email":"#, "EOF"),
        ("\u{1}", "expected value"),
    ] {
        let error = parsed::<SignUpRequest>(body).unwrap_err();
        assert_eq!(error.http().as_u16(), 400);
        assert!(error.message().contains(says), "{body}: {error}");
        assert_eq!(error.body()["error"]["status"], "INVALID_ARGUMENT");
    }
}

#[test]
fn a_body_may_not_nest_without_end() {
    let body = format!("{}{}", r#"{"a":"#.repeat(40), "}".repeat(40));
    assert!(parsed::<SignUpRequest>(&body).is_err());
}

#[test]
fn forms_are_messages_too() {
    let request: TokenRequest = read(parse_form(b"grant_type=refresh_token&refresh_token=a%2Bb")).unwrap();
    assert_eq!(&*request.grant_type.unwrap(), "refresh_token");
    assert_eq!(&*request.refresh_token.unwrap(), "a+b");
}

#[test]
fn names_keep_leading_underscores() {
    assert_eq!(camel_name("_x_y"), "_xY");
    assert_eq!(camel_case(json!({"a_b": [{"c_d": 1}]}), MAX_DEPTH).unwrap(), json!({"aB": [{"cD": 1}]}));
}
