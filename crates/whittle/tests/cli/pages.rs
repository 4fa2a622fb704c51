//! `--report`: a page that stands alone.

use std::process::Command;

use crate::bench_folder::Folder;

/// Texts that would break a page if they were not escaped.
const INPUT: &str = "<b>one</b>\n</script><script>alert(1)</script>\nkeep & \"this\"\nfour\nfive\n";

fn reported() -> Folder {
    let folder = Folder::new("grep -q keep bug.txt && grep -q '</script>' bug.txt", "bug.txt", INPUT);
    let ran = folder.whittle("test.sh bug.txt --report bug.html --explain");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("\na  exit status 1\n"), "{}", ran.stderr);
    folder
}

/// The data of the page.
fn data(page: &str) -> serde_json::Value {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..end]).unwrap()
}

#[test]
fn the_page_has_every_step_from_the_input_to_the_result() {
    let folder = reported();
    let page = data(&folder.text("bug.html"));
    let steps = page["steps"].as_array().unwrap();
    assert_eq!(steps[0]["text"], INPUT);
    assert_eq!(steps.last().unwrap()["text"], folder.text("bug.reduced.txt"));
    let sizes: Vec<u64> = steps.iter().map(|step| step["units"].as_u64().unwrap()).collect();
    assert!(sizes.is_sorted_by(|one, other| one >= other) && sizes.len() > 2, "{sizes:?}");
    let saved: u64 = page["passes"].as_array().unwrap().iter().map(|pass| pass["saved"].as_u64().unwrap()).sum();
    assert!(saved >= sizes[0] - sizes[sizes.len() - 1], "{page}");
    assert!(page["end"]["tally"]["tests"].as_u64().unwrap() >= steps.len() as u64 - 1);
    let needed = page["needed"].as_array().unwrap();
    assert!(!needed.is_empty() && needed.iter().all(|token| token["reason"] == "exit status 1"), "{needed:?}");
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_first_test() {
    let folder = Folder::new("true", "bug.txt", "one\n");
    for (place, problem) in [("no/such/folder.html", "cannot write a report"), ("bug.txt", "--report would overwrite")]
    {
        let ran = folder.whittle(&format!("test.sh bug.txt --report {place}"));
        assert_eq!(ran.status, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    }
    assert_eq!(folder.text("bug.txt"), "one\n");
}

#[test]
fn a_page_about_a_megabyte_is_not_larger() {
    let line = "some words in a long text\n";
    let folder =
        Folder::new("grep -q keep bug.txt", "bug.txt", format!("{}keep\n", line.repeat((1 << 20) / line.len())));
    let ran = folder.whittle("test.sh bug.txt --report bug.html");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(folder.read("bug.html").len() < 1 << 20);
}

mod needs_chromium {
    use super::*;

    #[test]
    #[ignore = "needs chromium"]
    fn the_page_works_in_a_browser() {
        let folder = reported();
        // The slider goes to the last step, and the page says whether it shows the result then.
        let probe = "<script>addEventListener('error', (e) => document.title = 'broken: ' + e.message);\
                     addEventListener('load', () => { slider.value = slider.max; slider.dispatchEvent(new Event('input'));\
                     document.querySelector('#reasons button').click();\
                     document.body.dataset.marked = document.querySelectorAll('#result .gone').length;\
                     document.body.dataset.same = byId('step').textContent === last.text; });</script></body>";
        let page = folder.text("bug.html").replace("</body>", probe);
        std::fs::write(folder.path("probe.html"), page).unwrap();
        let url = format!("file://{}", folder.path("probe.html").display());
        let output = Command::new("chromium")
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom", &url])
            .env("HOME", folder.path("tmp"))
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&output.stdout);
        assert!(!dom.contains("<title>broken") && dom.contains("<polyline"), "{dom}");
        assert!(dom.contains("data-same=\"true\""), "{dom}");
        let needed = data(&folder.text("bug.html"))["needed"].as_array().unwrap().len();
        assert!(dom.contains(&format!("data-marked=\"{needed}\"")), "all tokens have one reason: {dom}");
        assert!(dom.contains("<td>counted</td>"), "{dom}");
    }
}

#[test]
fn events_make_the_same_page_afterwards() {
    let folder = reported();
    let ran = folder.whittle("test.sh bug.txt --force --report bug.html --json events.jsonl");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.whittle("report events.jsonl").status, Some(0));
    let (direct, afterwards) = (data(&folder.text("bug.html")), data(&folder.text("events.html")));
    for part in ["about", "steps", "passes"] {
        assert_eq!(direct[part], afterwards[part], "{part}");
    }
    assert!(direct["steps"].as_array().unwrap().len() > 2);
    for part in ["reason", "seconds"] {
        assert_eq!(direct["end"][part], afterwards["end"][part], "{part}");
    }
    for (name, number) in direct["end"]["tally"].as_object().unwrap() {
        assert_eq!(*number, afterwards["end"]["tally"][name], "{name}");
    }
    let events = folder.text("events.jsonl");
    for place in ["events.jsonl", "-"] {
        assert_eq!(folder.whittle(&format!("report events.jsonl -o {place}")).status, Some(2), "{place}");
    }
    assert_eq!(folder.text("events.jsonl"), events, "the events stay");
    let refused = folder.whittle("report bug.txt");
    assert!(refused.status == Some(2) && refused.stderr.contains("line 1: "), "{}", refused.stderr);
}
