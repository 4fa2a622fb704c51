//! `whittle serve-mcp`: the Model Context Protocol over standard input and output, for coding agents.
//!
//! A message is one line of JSON-RPC 2.0. There are three tools, which run this program's own commands, so that tests are
//! confined as they always are. Improvements are reported as progress. A call that is cancelled, or whose client goes away,
//! ends as by Ctrl-C: the best result so far is kept.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::Args;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;
use serde_json::{Value, json};
use whittle::property::this_program;

use super::exit::Exit;

/// Offer check, reduce and explain to coding agents, by the Model Context Protocol
///
/// Reads requests from standard input and writes answers to standard output until standard input ends. To register it:
/// claude mcp add whittle -- whittle serve-mcp, or {"command": "whittle", "args": ["serve-mcp"]} in a configuration file.
#[derive(Debug, Args)]
pub(crate) struct ServeMcpArgs {}

/// The versions of the protocol that are spoken, the newest first. They differ in nothing that is used here.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// How much of a result is shown, in bytes. The whole is in its file.
const MAX_SHOWN_BYTES: usize = 16 << 10;

const INSTRUCTIONS: &str = "Whittle shrinks a file or folder that triggers a bug while a test keeps passing. First check, then \
     reduce. A test is an executable that exits with 0 if and only if the candidate in its current folder triggers the bug. \
     Instead of a test, give a command in run, in which {} is the candidate, and conditions in options.";

/// A message from the client.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Option<Value>,
    method: String,
    #[serde(default)]
    params: Value,
}

/// What is shared by calls that run at once.
#[derive(Clone, Default)]
struct Server {
    out: Arc<Mutex<()>>,
    /// The process of each call that is under way, by the text of its id.
    running: Arc<Mutex<HashMap<String, Pid>>>,
}

/// Serves until standard input ends.
pub(crate) fn run(_: &ServeMcpArgs) -> Result<Exit> {
    let server = Server::default();
    let mut calls = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line.context("cannot read a request")?;
        match serde_json::from_str::<Value>(&line) {
            Ok(value) if value["method"].is_string() => match serde_json::from_value::<Message>(value) {
                Ok(message) => calls.extend(server.take(message)),
                Err(error) => server.fail(&Value::Null, -32600, &error.to_string()),
            },
            // This server asks for nothing, so an answer is no request either.
            Ok(value) => server.fail(&value["id"], -32600, "a request is an object with a method"),
            Err(_) if line.trim().is_empty() => {}
            Err(error) => server.fail(&Value::Null, -32700, &error.to_string()),
        }
    }
    server.running().values().for_each(|pid| interrupt(*pid));
    for call in calls {
        let _ = call.join();
    }
    Ok(Exit::Done)
}

impl Server {
    /// Answers a message; a call of a tool on a thread of its own.
    fn take(&self, message: Message) -> Option<std::thread::JoinHandle<()>> {
        let Message { id, method, params } = message;
        let Some(id) = id else {
            if method == "notifications/cancelled" {
                let pid = self.running().get(&params["requestId"].to_string()).copied();
                pid.into_iter().for_each(interrupt);
            }
            return None;
        };
        match method.as_str() {
            "initialize" => self.reply(&id, &greeting(&params)),
            "ping" => self.reply(&id, &json!({})),
            "tools/list" => self.reply(&id, &json!({ "tools": tools() })),
            "tools/call" => {
                let server = self.clone();
                return Some(std::thread::spawn(move || match words(&params) {
                    Ok(words) => server.call(&id, &words, &params),
                    Err(problem) => server.fail(&id, -32602, &problem),
                }));
            }
            _ => self.fail(&id, -32601, &format!("there is no method {method}")),
        }
        None
    }

    /// Runs one of this program's commands, reports what it improves, and answers with what it printed.
    fn call(&self, id: &Value, words: &[String], params: &Value) {
        let folder = Path::new(params["arguments"]["folder"].as_str().unwrap_or("."));
        let start = |own: Vec<OsString>| {
            let mut command = Command::new(&own[0]);
            command.args(&own[1..]).args(words).current_dir(folder);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
        };
        let mut child = match this_program().and_then(start) {
            Ok(child) => child,
            Err(error) => return self.fail(id, -32603, &format!("whittle cannot be started: {error}")),
        };
        self.running().insert(id.to_string(), Pid::from_raw(child.id() as i32));
        let said = self.follow(&mut child, &params["_meta"]["progressToken"]);
        let status = child.wait().ok().and_then(|status| status.code());
        self.running().remove(&id.to_string());
        let text = with_result(said, folder);
        let is_error = !matches!(status, Some(0 | 1));
        self.reply(id, &json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }));
    }

    /// Reads both outputs to their ends. Events become progress, if the client wants to hear of it.
    fn follow(&self, child: &mut Child, token: &Value) -> String {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let complaints = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut text));
            text
        });
        let mut answered = String::new();
        for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines().map_while(Result::ok)) {
            match serde_json::from_str::<Value>(&line).ok().filter(|event| event["kind"].is_string()) {
                Some(event) if event["kind"] == "improved" && !token.is_null() => {
                    let message = format!("{} bytes after {} tests", event["bytes"], event["tests"]);
                    let progress = json!({ "progressToken": token, "progress": event["tests"], "message": message });
                    self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": progress }));
                }
                Some(_) => {}
                None => answered.extend([line.as_str(), "\n"]),
            }
        }
        answered + &complaints.join().unwrap_or_default()
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<String, Pid>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reply(&self, id: &Value, result: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    fn fail(&self, id: &Value, code: i32, message: &str) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }));
    }

    /// One line at a time. A client that is gone hears nothing.
    fn send(&self, message: &Value) {
        let _whole = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = io::stdout();
        let _ = writeln!(out, "{message}").and_then(|()| out.flush());
    }
}

/// The first signal keeps the best result so far.
fn interrupt(pid: Pid) {
    let _ = kill(pid, Signal::SIGINT);
}

fn greeting(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "whittle", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn tools() -> Vec<Value> {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let texts =
        |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    let tool = |name: &str, description: &str, input: &str| {
        json!({ "name": name, "description": description, "inputSchema": { "type": "object", "required": ["input"],
            "properties": {
                "input": text(input),
                "test": text("Path of an executable that exits with 0 if and only if the candidate triggers the bug"),
                "run": text("Instead of test: a command without a shell, such as gcc -O2 -c {}"),
                "options": texts("More options of this command, such as --stderr, internal compiler error, --max-time, 10m"),
                "folder": text("The folder in which paths are relative and the command runs; default: that of the server"),
            } } })
    };
    vec![
        tool(
            "check",
            "Runs the test on an input: does it trigger the bug, every time, and is the test good enough?",
            "The file or folder",
        ),
        tool(
            "reduce",
            "Shrinks a file or folder that triggers a bug. The result is beside it: bug.reduced.c for bug.c. Can take long: limit it with --max-time",
            "The file or folder to shrink",
        ),
        tool("explain", "Says for each part of a reduced file what happens without it", "The reduced file"),
    ]
}

/// The command line that a call stands for.
fn words(params: &Value) -> Result<Vec<String>, String> {
    let name = params["name"].as_str().unwrap_or_default();
    let arguments = &params["arguments"];
    let text = |key: &str| arguments[key].as_str().map(str::to_owned);
    let mut words = match name {
        "check" | "explain" => vec![name.to_owned()],
        "reduce" => ["reduce", "--json", "-"].map(str::to_owned).to_vec(),
        "" => return Err("the name of the tool is missing: check, reduce or explain".into()),
        _ => return Err(format!("there is no tool {name}: there are check, reduce and explain")),
    };
    let input = text("input").ok_or("input is missing: the path of the file or folder")?;
    let options = arguments["options"].as_array().cloned().unwrap_or_default();
    words.extend(options.iter().filter_map(Value::as_str).map(str::to_owned));
    let test = match (text("test"), text("run")) {
        (Some(test), None) => Some(test),
        (None, Some(command)) => {
            words.extend(["--run".to_owned(), command]);
            None
        }
        _ => return Err("either test or run is needed".into()),
    };
    words.push("--".into());
    words.extend(test.into_iter().chain([input]));
    Ok(words)
}

/// What a command said, and the result that it names.
fn with_result(mut said: String, folder: &Path) -> String {
    let place = said.lines().find_map(|line| line.strip_prefix("result:")).map(|path| path.trim().to_owned());
    let result = place.and_then(|path| std::fs::read_to_string(folder.join(path)).ok());
    if let Some(result) = result.filter(|result| result.len() <= MAX_SHOWN_BYTES) {
        said.extend(["\n", &result]);
    }
    said
}
