//! Connections over TLS: the certificate is checked, and the host in it.

use docstore::Code;
use docstore::engine::shared::SharedLog as _;
use docstore_postgres::PostgresLog;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::options;
use crate::server::Server;

/// An authority that signs for itself.
fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_checked() {
    let (ours, others) = (authority(), authority());
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &ours).unwrap();
    let files = [
        ("server.crt", certificate.pem()),
        ("server.key", key.serialize_pem()),
        ("ours.pem", ours.pem()),
        ("others.pem", others.pem()),
    ];
    let files = files.each_ref().map(|(name, contents)| (*name, contents.as_str()));
    let settings = ["ssl = on", "ssl_cert_file = '../server.crt'", "ssl_key_file = '../server.key'"];
    let Some(server) = Server::start(&settings, &files) else { return };
    let name = server.database().await;
    let roots = |file: &str| format!("sslrootcert={}", server.folder().join(file).display());
    for (host, rest, is_refused) in [
        ("localhost", roots("ours.pem"), false),
        ("localhost", format!("sslmode=verify-full&{}", roots("ours.pem")), false),
        // Not in the certificate, not by this authority, not by one of the machine's.
        ("127.0.0.1", roots("ours.pem"), true),
        ("localhost", roots("others.pem"), true),
        ("localhost", "sslmode=require".to_owned(), true),
        // To this machine itself nothing has to be encrypted.
        ("localhost", String::new(), false),
    ] {
        let opened =
            PostgresLog::open(options(&Server::url_over_tcp(host, server.port(), &name, &rest), 1)).await;
        if is_refused {
            let error = opened.unwrap_err();
            assert_eq!(
                (error.code(), error.tag()),
                (Code::FailedPrecondition, "DatabaseTls"),
                "{host} {rest}: {error}"
            );
            continue;
        }
        let log = opened.unwrap_or_else(|error| panic!("{host} {rest}: {error}"));
        log.head().await.unwrap();
        let question = "SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) \
                        WHERE a.application_name LIKE 'tuckbox%'";
        let encrypted: Option<bool> =
            server.client(&name).await.query_one(question, &[]).await.unwrap().get(0);
        assert_eq!(encrypted, Some(!rest.is_empty()), "{rest}");
        drop(log);
        server.end_sessions(&name).await;
    }
}
