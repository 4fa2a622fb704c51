//! Every way to be let in by a NATS server: with the secret, a worker and a client find each other; with another one, nobody does.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

use crate::bench_folder::{Folder, Ran, wait_until};
use crate::fleet;
use crate::nats::{folder, free_port, server, start_worker};

/// Variables of the environment.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// A server with this configuration, which lets in who has the secrets of `right`, and nobody with those of `wrong`.
fn expect_to_be_let_in(folder: &Folder, scheme: &str, configuration: &str, right: Variables<'_>, wrong: Variables<'_>) {
    let port = free_port();
    fs::write(folder.path("nats.conf"), configuration).unwrap();
    let _server = server("127.0.0.1", port, &["-c", folder.path("nats.conf").to_str().unwrap()]);
    let url = format!("{scheme}://127.0.0.1:{port}");
    let list = |variables: Variables<'_>| {
        let mut command = folder.command(["workers", &format!("{url}/g")]);
        Ran::from(command.envs(variables.iter().copied()).output().unwrap())
    };
    for variables in [wrong, &[]] {
        let ran = list(variables);
        assert!(is_refused(&ran), "{variables:?}: {}", ran.stderr);
    }
    // The client has secrets themselves, and the worker the names of files.
    let in_files: Vec<(String, String)> = right
        .iter()
        .map(|(name, value)| match name.strip_suffix("_FILE") {
            Some(_) => ((*name).to_owned(), (*value).to_owned()),
            None => {
                let path = folder.path(name);
                fs::write(&path, format!("{value}\n")).unwrap();
                (format!("{name}_FILE"), path.to_str().unwrap().to_owned())
            }
        })
        .collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.envs(in_files);
    let worker = start_worker(folder, command, &url, "2");
    wait_until("the worker is connected", || list(right).stdout.lines().count() == 2);
    let options = ["--workers", &format!("{url}/g"), "--workers-only"];
    let ran = fleet::expect_the_same_with(folder, &options, right, || ());
    assert!(ran.stderr.contains(" tests on 1 machine, up to 2 at once"), "{}", ran.stderr);
    drop(worker);
    folder.assert_nothing_left();
}

fn is_refused(ran: &Ran) -> bool {
    ran.status == Some(2) && ran.stderr.contains("Check that the server runs, and the variables WHITTLE_NATS_")
}

/// A token as servers with accounts want it: claims, signed by a key.
fn signed(claims: Value, subject: &KeyPair, by: &KeyPair, kind: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let (Value::Object(mut nats), version) = (claims, 2) else { panic!("claims are an object") };
    nats.extend([("type".to_owned(), kind.into()), ("version".to_owned(), version.into())]);
    let claims = json!({
        "jti": "whittle", "iat": now, "iss": by.public_key(), "sub": subject.public_key(), "name": kind, "nats": nats,
    });
    let head = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let parts = [head, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let text = parts.join(".");
    let signature = URL_SAFE_NO_PAD.encode(by.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// What a credentials file has in it.
fn credentials(jwt: &str, seed: &str) -> String {
    format!(
        "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

mod needs_nats {
    use super::*;

    #[test]
    #[ignore = "needs nats-server"]
    fn a_token_lets_in() {
        let right = [("WHITTLE_NATS_TOKEN", "let-me-in")];
        let wrong = [("WHITTLE_NATS_TOKEN", "let-me-out")];
        expect_to_be_let_in(&folder("0", 20), "nats", "authorization { token: let-me-in }", &right, &wrong);
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn a_user_with_a_password_is_let_in() {
        let configuration = "authorization { users = [ { user: alice, password: wonderland } ] }";
        let account = |password| [("WHITTLE_NATS_USER", "alice"), ("WHITTLE_NATS_PASSWORD", password)];
        let (right, wrong) = (account("wonderland"), account("looking-glass"));
        expect_to_be_let_in(&folder("0", 20), "nats", configuration, &right, &wrong);
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn an_nkey_lets_in() {
        let (user, stranger) = (KeyPair::new_user(), KeyPair::new_user());
        let configuration = format!("authorization {{ users = [ {{ nkey: {} }} ] }}", user.public_key());
        let [right, wrong] = [user, stranger].map(|key| key.seed().unwrap());
        let [right, wrong] = [&right, &wrong].map(|seed| [("WHITTLE_NATS_NKEY", seed.as_str())]);
        expect_to_be_let_in(&folder("0", 20), "nats", &configuration, &right, &wrong);
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn a_credentials_file_lets_in() {
        let (operator, account, user) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_user());
        let all = json!({
            "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
            },
        });
        let operator_token = signed(json!({}), &operator, &operator, "operator");
        let account_token = signed(all, &account, &operator, "account");
        let configuration = format!(
            "operator: {operator_token}\nresolver: MEMORY\nresolver_preload: {{ {}: {account_token} }}",
            account.public_key(),
        );
        let unlimited = || json!({ "subs": -1, "data": -1, "payload": -1 });
        let seed = user.seed().unwrap();
        let right = credentials(&signed(unlimited(), &user, &account, "user"), &seed);
        // An account that the server does not know signed these.
        let wrong = credentials(&signed(unlimited(), &user, &KeyPair::new_account(), "user"), &seed);
        let [right, wrong] = [&right, &wrong].map(|text| [("WHITTLE_NATS_CREDENTIALS", text.as_str())]);
        expect_to_be_let_in(&folder("0", 20), "nats", &configuration, &right, &wrong);
    }
}

mod needs_nats_tls {
    use super::*;

    fn openssl(folder: &Path, words: &str) {
        let mut command = Command::new("openssl");
        let status = command.args(words.split(' ')).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(status.status().unwrap().success(), "openssl {words}");
    }

    /// An authority and a certificate by it for the server.
    fn certify(folder: &Path, authority: &str) {
        let new = "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        openssl(
            folder,
            &format!("{new} -x509 -days 2 -subj /CN={authority} -keyout {authority}.key -out {authority}.pem"),
        );
        openssl(folder, &format!("{new} -subj /CN=server -keyout server.key -out server.csr"));
        fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
        openssl(
            folder,
            &format!(
                "x509 -req -days 2 -in server.csr -CA {authority}.pem -CAkey {authority}.key -CAcreateserial -extfile names \
                 -out server.pem"
            ),
        );
    }

    #[test]
    #[ignore = "needs nats-server and openssl"]
    fn a_server_with_a_certificate_of_our_authority_is_trusted_and_no_other() {
        for scheme in ["nats", "tls"] {
            let folder = folder("0", 20);
            let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
            certify(&folder.path(""), "other");
            certify(&folder.path(""), "ours");
            let configuration = format!(
                "tls {{ cert_file: {:?}, key_file: {:?} }}\nauthorization {{ token: let-me-in }}",
                path("server.pem"),
                path("server.key"),
            );
            let token = ("WHITTLE_NATS_TOKEN", "let-me-in");
            let (ours, other) = (path("ours.pem"), path("other.pem"));
            let [right, wrong] = [&ours, &other].map(|authority| [token, ("WHITTLE_NATS_CA_FILE", authority.as_str())]);
            expect_to_be_let_in(&folder, scheme, &configuration, &right, &wrong);
        }
    }

    #[test]
    #[ignore = "needs nats-server and openssl"]
    fn a_secret_is_not_sent_in_clear_where_tls_is_asked_for() {
        let (folder, port) = (folder("0", 20), free_port());
        let _server = server("127.0.0.1", port, &["--auth", "let-me-in"]);
        let mut command = folder.command(["workers", &format!("tls://127.0.0.1:{port}/g")]);
        let ran = Ran::from(command.env("WHITTLE_NATS_TOKEN", "let-me-in").output().unwrap());
        assert!(is_refused(&ran), "{}", ran.stderr);
    }
}
