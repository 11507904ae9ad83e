use serde_json::{Value, json};

use super::*;

/// `secret` and `NaCl` in base64.
const KEY: &str = "c2VjcmV0";
const SALT: &str = "TmFDbA==";

fn options(members: Value) -> HashOptions {
    serde_json::from_value(members).unwrap()
}

/// Every algorithm with a hash of `password` that another implementation made.
fn known() -> Vec<(Value, &'static str, &'static str)> {
    let hmac = |name: &str| json!({ "hashAlgorithm": name, "signerKey": KEY });
    let rounds = |name: &str, rounds: u32| json!({ "hashAlgorithm": name, "rounds": rounds });
    let salt_last =
        json!({ "hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "PASSWORD_AND_SALT" });
    let standard = json!({
        "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1024, "parallelization": 16, "blockSize": 8, "dkLen": 64,
    });
    let scrypt = json!({
        "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
        "signerKey":
            "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    });
    vec![
        (
            hmac("HMAC_SHA512"),
            "yoFsygT-IMma1lMv-IqBvfHM1DCminat6m9ku6Re5nl8QSy9Z3BwPG9FnejSRcu99tK4xSVVkY6I9euOf8nmQA",
            SALT,
        ),
        (hmac("HMAC_SHA256"), "C5WKh+Qa5RkMlq+h5DX5XKsBOsQt/DEKEaUBAMQqrlI=", SALT),
        (hmac("HMAC_SHA1"), "tSjltw8SZxad1AY6k8wDYCwUeyI=", SALT),
        (hmac("HMAC_MD5"), "4tZGVrzeu9LZ9eWZ03FrLg==", SALT),
        (rounds("MD5", 0), "NjJkMTlmN2U3ZGRjYjU5NDY3Mjg3NzZkMjVlNDEwZWQ=", SALT),
        (rounds("SHA1", 3), "LxIWK1dRpQ6GqXBVHnIJs36x2OQ=", SALT),
        (rounds("SHA256", 1), "sgq3SqJUn34ToOiGy0RxzC5w/NLOgHXA7mSDq7phMvM=", SALT),
        (salt_last, "AoSAlxEEs3aR9BxDDlngf9TFrg9TMXsqouBs+N27/hA=", SALT),
        (
            rounds("SHA512", 1),
            "2p0svfOgDTflOF7HK5wbHP+05l4lkdV8P+FFq+p6aHPQS7uBGa9TyGc8DfxZsfkcaV2Mfod35WxAzaj5yBEKYw==",
            SALT,
        ),
        (rounds("PBKDF_SHA1", 1000), "lyyzCFlAUpkzVJDKKPSl1PyJGrk=", SALT),
        (
            rounds("PBKDF2_SHA256", 1000),
            "Z9vMeFSKdTKPaJASW+wsWYdujeLkySyZsgGHKnYOKuwH+SijZE92OGKJ+62nJEc9y5RQUd4ZsTTZMLUrNY9R0w==",
            SALT,
        ),
        (
            standard,
            "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA==",
            SALT,
        ),
        (
            scrypt,
            "V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw==",
            SALT,
        ),
        (
            json!({ "hashAlgorithm": "BCRYPT" }),
            "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVnaEU4RXY4dUdGYVVnWTJjTkV5U3Z4bmdyYi9KemRt",
            "",
        ),
    ]
}

#[test]
fn every_algorithm_knows_its_password_and_no_other() {
    for (members, hash, salt) in known() {
        let options = options(members.clone());
        assert!(options.checked().unwrap().is_some(), "{members}");
        assert!(options.verify("password", hash, salt), "{members}");
        assert!(!options.verify("passwore", hash, salt), "{members}");
        assert!(!options.verify("password", "", salt), "an empty hash is nobody's: {members}");
        assert!(!options.verify("password", "*", salt), "{members}");
    }
}

#[test]
fn argon2_takes_the_parameters_of_the_wire() {
    let options = options(json!({ "hashAlgorithm": "ARGON2", "argon2Parameters": {
        "hashType": "ARGON2_ID", "hashLengthBytes": 32, "parallelism": 1, "iterations": 2, "memoryCostKib": 64,
    }}));
    let made = {
        let params = Argon2Params::new(64, 2, 1, Some(32)).unwrap();
        let mut made = [0; 32];
        Argon2::new(Argon2Kind::Argon2id, Version::V0x13, params)
            .hash_password_into(b"password", b"salt of eight", &mut made)
            .unwrap();
        STANDARD.encode(made)
    };
    let salt = STANDARD.encode("salt of eight");
    assert!(options.checked().unwrap().is_some());
    assert!(options.verify("password", &made, &salt));
    assert!(!options.verify("passwore", &made, &salt));
}

#[test]
fn what_one_sign_in_may_cost_is_bounded() {
    for members in [
        json!({ "hashAlgorithm": "ROT13" }),
        json!({ "hashAlgorithm": "HMAC_SHA256" }),
        json!({ "hashAlgorithm": "HMAC_SHA256", "signerKey": "***" }),
        json!({ "hashAlgorithm": "SHA256" }),
        json!({ "hashAlgorithm": "SHA256", "rounds": 1_000_000 }),
        json!({ "hashAlgorithm": "PBKDF2_SHA256", "rounds": 120_001 }),
        json!({ "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 20 }),
        json!({ "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1000, "parallelization": 1, "blockSize": 8,
            "dkLen": 64 }),
        json!({ "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1 << 30, "parallelization": 1, "blockSize": 8,
            "dkLen": 64 }),
        json!({ "hashAlgorithm": "ARGON2", "argon2Parameters": { "hashType": "ARGON2_ID", "hashLengthBytes": 32,
            "parallelism": 1, "iterations": 2, "memoryCostKib": 1 << 20 } }),
    ] {
        let error = options(members.clone()).checked().unwrap_err();
        assert!(error.code().starts_with("INVALID_HASH_"), "{members}: {}", error.code());
    }
    assert!(options(json!({})).checked().unwrap().is_none(), "no algorithm: as the emulator suite exports");
}
