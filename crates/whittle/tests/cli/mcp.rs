//! `whittle serve-mcp`: tools for coding agents.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::bench_folder::Folder;

/// A client that sends lines and reads them.
struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Client {
    fn new(folder: &Folder) -> Self {
        let mut server = folder.command(["serve-mcp"]).stdin(Stdio::piped()).spawn().unwrap();
        let (to, from) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        Self { server, to, from }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Calls a method; gives the notifications before its answer, and the answer.
    fn call(&mut self, method: &str, params: &Value) -> (Vec<Value>, Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }));
        self.answer()
    }

    fn answer(&mut self) -> (Vec<Value>, Value) {
        let mut before = Vec::new();
        loop {
            let message = self.receive();
            if message["id"] == 7 {
                return (before, message);
            }
            before.push(message);
        }
    }

    /// Closes the pipe and waits for the end.
    fn leave(mut self) -> Option<i32> {
        self.to = None;
        self.server.wait().unwrap().code()
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn an_agent_checks_reduces_and_explains() {
    let folder = Folder::new("grep -q needle bug.txt", "bug.txt", "hay\nhay needle hay\nhay\n");
    let mut client = Client::new(&folder);
    let (_, greeting) = client.call("initialize", &json!({ "protocolVersion": "2025-03-26", "capabilities": {} }));
    assert_eq!(greeting["result"]["protocolVersion"], "2025-03-26");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let (_, tools) = client.call("tools/list", &json!({}));
    let names: Vec<&str> =
        tools["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["check", "reduce", "explain"]);

    let arguments = json!({ "test": "test.sh", "input": "bug.txt" });
    let (_, checked) = client.call("tools/call", &json!({ "name": "check", "arguments": arguments }));
    assert!(checked["result"]["isError"] == false && text(&checked).contains("interesting"), "{checked}");

    let params = json!({ "name": "reduce", "arguments": arguments, "_meta": { "progressToken": "p" } });
    let (progress, reduced) = client.call("tools/call", &params);
    assert!(reduced["result"]["isError"] == false && text(&reduced).ends_with("\nneedle"), "{reduced}");
    assert!(!progress.is_empty() && progress.iter().all(|note| note["params"]["progressToken"] == "p"));
    assert_eq!(folder.text("bug.reduced.txt"), "needle");

    let run = json!({ "run": "grep -q needle {}", "input": "bug.reduced.txt", "options": ["--exit", "0"] });
    let (_, explained) = client.call("tools/call", &json!({ "name": "explain", "arguments": run }));
    assert!(text(&explained).contains("needle"), "{explained}");
    assert_eq!(client.leave(), Some(0));
    folder.assert_nothing_left();
}

#[test]
fn mistakes_are_errors_and_not_the_end() {
    let folder = Folder::new("false", "bug.txt", "hay\n");
    let mut client = Client::new(&folder);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&client.call("nothing", &json!({})).1), Some(-32601));
    assert_eq!(code(&client.call("tools/call", &json!({ "name": "check", "arguments": {} })).1), Some(-32602));
    let both = json!({ "input": "bug.txt", "test": "test.sh", "run": "true {}" });
    assert_eq!(code(&client.call("tools/call", &json!({ "name": "check", "arguments": both })).1), Some(-32602));
    let arguments = json!({ "input": "bug.txt", "test": "test.sh" });
    let (_, refused) = client.call("tools/call", &json!({ "name": "reduce", "arguments": arguments }));
    assert!(refused["result"]["isError"] == true && text(&refused).contains("is not interesting"), "{refused}");
    writeln!(client.to.as_mut().unwrap(), "nonsense").unwrap();
    assert_eq!(code(&client.receive()), Some(-32700));
    assert_eq!(client.call("ping", &json!({})).1["result"], json!({}));
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_call_that_is_cancelled_keeps_the_best_result() {
    let input: String = (0..400).map(|number| format!("hay {number}\n")).chain(["needle\n".to_owned()]).collect();
    let folder = Folder::new("sleep 0.05; grep -q needle bug.txt", "bug.txt", input);
    let mut client = Client::new(&folder);
    let arguments = json!({ "test": "test.sh", "input": "bug.txt", "options": ["--unit", "char"] });
    let params = json!({ "name": "reduce", "arguments": arguments, "_meta": { "progressToken": 1 } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params }));
    assert_eq!(client.receive()["method"], "notifications/progress");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }));
    let (_, answer) = client.answer();
    assert!(text(&answer).contains("stopped"), "{answer}");
    assert!(folder.text("bug.reduced.txt").contains("needle"));
    assert_eq!(client.leave(), Some(0));
    folder.assert_nothing_left();
}

#[test]
fn what_is_no_request_and_an_unknown_tool_get_an_answer_that_helps() {
    let folder = Folder::new("grep -q b bug.txt", "bug.txt", "a b c\n");
    let mut client = Client::new(&folder);
    for wrong in [json!({}), json!([]), json!(5), json!({ "jsonrpc": "2.0", "method": 5 })] {
        client.send(&wrong);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], -32600, "{wrong}: {answer}");
        assert_eq!(answer["id"], Value::Null, "{wrong}: {answer}");
    }
    let (_, answer) = client.call("tools/call", &json!({ "name": "shrink", "arguments": {} }));
    let message = answer["error"]["message"].as_str().unwrap();
    assert_eq!(message, "there is no tool shrink: there are check, reduce and explain");
    assert_eq!(client.leave(), Some(0));
}
