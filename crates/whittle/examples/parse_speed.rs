//! How long a grammar that is read at run time takes for a megabyte, and how much memory:
//! `parse_speed GRAMMAR[:START] json|java|sql|FILE`.

#![allow(clippy::print_stdout, reason = "a figure for people")]

use std::error::Error;
use std::fs;
use std::time::Instant;

use whittle::own::GrammarFile;
use whittle::parsing::RunTimeGrammar;

/// About how long a text is, in bytes.
const BYTES: usize = 1_000_000;

const RECORD: &str = r#"{"id": 17, "name": "user", "tags": ["a", "b", null, true], "score": 4.5, "nested": {"x": [1, 2], "y": {}}},
"#;

const CLASS: &str = r#"class C<T extends Comparable<T>> extends Base implements Runnable, Foo<T> {
    private final int field = 3 + 4 * (a - b) / c;
    public static <U> Map<String, List<U>> method(int x, String... rest) throws IOException {
        for (int i = 0; i < rest.length; i++) {
            if (x > 3 && rest[i] != null) { foo.bar(x, rest[i]).baz(); } else { return new HashMap<>(); }
        }
        try { int[] arr = new int[]{1, 2, 3}; arr[0] += (int) x << 2; }
        catch (Exception e) { throw new RuntimeException("oops " + e, e); } finally { close(); }
        Runnable r = () -> System.out.println(a ? b : c);
        switch (x) { case 1: break; default: x++; }
        while (!done) { done = check(this.field, super.toString()); }
        return null;
    }
}
"#;

const STATEMENTS: &str =
    "SELECT a.id, b.name AS n, count(*), max(x + 3 * y) FROM t1 AS a JOIN t2 b ON a.id = b.id LEFT JOIN t3 \
USING (id) WHERE a.x > 10 AND (b.y LIKE 'foo' OR b.z IN (1, 2, 3)) GROUP BY a.id HAVING count(*) > 5 ORDER BY n DESC;
INSERT INTO t (a, b, c) VALUES (1, 'two', NULL), (4, 'five', 6.5);
";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [grammar, text] = &args[..] else {
        println!("usage: parse_speed GRAMMAR[:START] json|java|sql|FILE");
        return Ok(());
    };
    let repeated = |part: &str| part.repeat(BYTES / part.len());
    let text = match text.as_str() {
        "json" => format!("[{}0]", repeated(RECORD)).into_bytes(),
        "java" => repeated(CLASS).into_bytes(),
        "sql" => repeated(STATEMENTS).into_bytes(),
        file => fs::read(file)?,
    };
    let file = GrammarFile::parse(grammar);
    let grammar = RunTimeGrammar::new(&file.describe()?, file.start.as_deref())?;
    let before = peak();
    for round in ["first", "again"] {
        let started = Instant::now();
        let tree = grammar.parse(&text)?;
        let seconds = started.elapsed().as_secs_f64();
        let memory = (peak() - before) as f64 / text.len() as f64;
        let (bytes, nodes, errors) = (text.len(), tree.len(), tree.errors());
        println!(
            "{round}: {bytes} bytes, {nodes} nodes, {errors} errors, {seconds:.2} s, {memory:.0} bytes of memory per byte"
        );
    }
    Ok(())
}

/// The most memory that the process has used, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0) * 1024
}
