//! What the documentation shows is true: every command line runs and ends with the exit code it says, every output
//! comes from the command above it, every option is described, and every piece of code stands in an example.
//!
//! A command line is a line of a `sh` block that starts with `cargo run --release --`; `# exit N` at its end says its
//! code, which is 0 without. `> target/FILE` keeps its output for the lines that follow. A `text` block behind a `sh`
//! block of the same section quotes the output of that block's last command: its lines come in this order, and `…` stands
//! for any others.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

const PAGES: [&str; 3] = ["README.md", "docs/commands.md", "docs/expressions.md"];
const START: &str = "cargo run --release -- ";

fn read(path: &str) -> String {
    let path = common::root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A fenced block: its section, its language and its lines.
struct Block<'t> {
    section: &'t str,
    language: &'t str,
    lines: Vec<&'t str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    let mut section = "";
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            section = line;
        } else if let Some(language) = line.strip_prefix("```") {
            let lines = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                section,
                language,
                lines,
            });
        }
    }
    blocks
}

/// A command line, as a shell would read it.
#[derive(Debug, Default, PartialEq)]
struct Line {
    arguments: Vec<String>,
    output: Option<String>,
    code: i32,
}

fn parse(line: &str) -> Option<Line> {
    let rest = line.strip_prefix(START)?;
    let (rest, code) = match rest.rsplit_once("# exit ") {
        Some((rest, code)) => (rest, code.trim().parse().expect("an exit code is a number")),
        None => (rest, 0),
    };
    let mut words = words(rest);
    let redirected = words.iter().position(|word| word == ">");
    let output = redirected.map(|at| words.drain(at..).next_back().expect("a file to write to"));
    Some(Line {
        arguments: words,
        output,
        code,
    })
}

/// Words of a shell, with single and double quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "a quote is open in {text}");
    words.extend(word);
    words
}

/// `target/FILE` is a file of this test run.
fn place(path: &str) -> Option<PathBuf> {
    path.strip_prefix("target/")
        .map(|name| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
}

/// Runs a line; gives what it wrote, and what is wrong about it.
fn run(line: &Line) -> (Output, Option<String>) {
    let arguments: Vec<String> = line
        .arguments
        .iter()
        .map(|argument| match place(argument) {
            Some(path) => path.to_str().expect("a plain path").to_owned(),
            None => argument.clone(),
        })
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = common::run(&arguments);
    if let Some(path) = &line.output {
        let path = place(path).expect("documentation writes to target/ only");
        std::fs::write(path, &output.stdout).expect("the scratch directory can be written to");
    }
    let wrong = (output.status.code() != Some(line.code)).then(|| {
        let stderr = common::stderr(&output);
        format!(
            "{:?} ends with {}, not {}\n{stderr}",
            line.arguments, output.status, line.code
        )
    });
    (output, wrong)
}

/// The first quoted line that does not come from `output`, in order.
fn unfounded<'q>(quoted: &[&'q str], output: &str) -> Option<&'q str> {
    let mut rest = output.lines();
    quoted
        .iter()
        .copied()
        .filter(|line| !line.trim().is_empty() && line.trim() != "…")
        .find(|quoted| !rest.any(|line| line.trim_end() == quoted.trim_end()))
}

/// Everything that is wrong with the command lines of a page; how many there are.
fn check(page: &str) -> (usize, String) {
    let mut wrong = String::new();
    let mut count = 0;
    let mut last: Option<Output> = None;
    let mut section = "";
    for block in blocks(page) {
        if block.section != section {
            (last, section) = (None, block.section);
        }
        match block.language {
            "sh" => {
                last = None;
                for line in block.lines.into_iter().filter_map(parse) {
                    count += 1;
                    let (output, complaint) = run(&line);
                    wrong.extend(complaint);
                    last = Some(output);
                }
            }
            "text" => {
                let output = last.take().map(|output| common::stdout(&output));
                if let Some(line) = output.and_then(|output| unfounded(&block.lines, &output)) {
                    let _ = writeln!(wrong, "no command says: {line}");
                }
            }
            _ => last = None,
        }
    }
    (count, wrong)
}

#[test]
fn every_command_line_does_what_its_page_says() {
    for page in PAGES {
        let (count, wrong) = check(&read(page));
        assert!(wrong.is_empty(), "{page}: {wrong}");
        assert!(count > 0, "{page} shows no command");
    }
}

#[test]
fn this_test_can_fail() {
    let block = |line: &str| format!("```sh\n{START}{line}\n```\n");
    let story = block("run corpus/models/starved-join.bpmn # exit 1");
    let quote = |text: &str| format!("{story}\n```text\n{text}\n```\n");
    let stuck = "process starved-join: in 7 steps, stuck: nothing can happen any more";
    let wait = "  join: join misses f5 (no token is left that could come by it) (track 0)";
    for (page, right) in [
        (story.clone(), true),
        (quote(stuck), true),
        (quote(&format!("…\n{stuck}\n…\n{wait}")), true),
        (block("run corpus/models/starved-join.bpmn"), false),
        (block("run corpus/models/no-such-model.bpmn"), false),
        (block("dance"), false),
        (quote("process starved-join: in 7 steps, completed"), false),
        (quote(&format!("{wait}\n{stuck}")), false),
        (format!("{story}# Another section\n```text\nanything\n```\n"), true),
    ] {
        let (count, wrong) = check(&page);
        assert_eq!((count, wrong.is_empty()), (1, right), "{page}{wrong}");
    }
}

#[test]
fn lines_are_read_as_a_shell_would() {
    let line = parse(&format!("{START}run a.bpmn --var 'x=\"a b\"' > target/a  # exit 3")).expect("a command line");
    assert_eq!(line.arguments, ["run", "a.bpmn", "--var", "x=\"a b\""]);
    assert_eq!((line.output.as_deref(), line.code), (Some("target/a"), 3));
    assert_eq!(parse("cargo test --workspace"), None);
}

/// The commands or options that a help text lists: the words that start like this, at the start of their lines.
fn listed(help: &str, after: &str, start: &str) -> BTreeSet<String> {
    let (_, list) = help.split_once(after).expect(after);
    let lines = list
        .lines()
        .skip(1)
        .take_while(|line| start == "--" || !line.is_empty());
    let words = lines.filter_map(|line| {
        line.split_whitespace()
            .find(|word| word.starts_with(start) && word.len() > 2)
    });
    let words = words.map(|word| word.trim_end_matches([',', ']']).to_owned());
    words.filter(|word| word != "help" && word != "--help").collect()
}

#[test]
fn every_command_and_option_is_described() {
    let page = read("docs/commands.md");
    let readme = read("README.md");
    let help = common::stdout(&common::run(&["--help"]));
    let commands = listed(&help, "Commands:", "");
    assert!(commands.len() >= 3, "{commands:?}");
    for command in commands {
        let heading = format!("\n## {command}\n");
        let (_, section) = page
            .split_once(&heading)
            .unwrap_or_else(|| panic!("no section on {command}"));
        let section = section.split("\n## ").next().expect("a first part");
        let help = common::stdout(&common::run(&[&command, "--help"]));
        for option in listed(&help, "Options:", "--") {
            assert!(section.contains(&option), "{command} {option} is not described");
        }
        assert!(
            readme.contains(&format!("| `{command} ")),
            "README.md does not list {command}"
        );
    }
}

#[test]
fn set_up_is_two_commands() {
    let readme = read("README.md");
    let (_, set_up) = readme.split_once("\n## Set-up\n").expect("a section on set-up");
    let set_up = set_up.split("\n## ").next().expect("a first part");
    let lines: Vec<&str> = blocks(set_up).into_iter().flat_map(|block| block.lines).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with(START));
    assert_eq!(lines[1], "cargo test --workspace");
    let gate = read(".ci/run");
    assert!(gate.lines().any(|line| line == format!("step {}", lines[1])));
}

#[test]
fn code_in_the_readme_stands_in_the_example() {
    let example = read("engine/examples/embed.rs") + &read("sim/tests/readme.rs");
    let readme = read("README.md");
    let code: Vec<Block<'_>> = blocks(&readme)
        .into_iter()
        .filter(|block| block.language == "rust")
        .collect();
    assert!(!code.is_empty());
    for piece in code.iter().flat_map(|block| block.lines.split(|line| line.is_empty())) {
        assert!(example.contains(&piece.join("\n")), "{}", piece.join("\n"));
    }
}

/// Links between pages, and from pages to files.
#[test]
fn links_lead_somewhere() {
    let pages = [
        &PAGES[..],
        &["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/reading.md"],
    ]
    .concat();
    for page in pages {
        let text = read(page);
        let folder = common::root().join(page).parent().expect("a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                common::root().join(page)
            } else {
                folder.join(file)
            };
            assert!(path.exists(), "{page}: {target} leads nowhere");
            if !anchor.is_empty() {
                let other = std::fs::read_to_string(&path).expect("a page");
                let headings = other.lines().filter(|line| line.starts_with('#'));
                let anchors: Vec<String> = headings.map(slug).collect();
                assert!(
                    anchors.iter().any(|slug| slug == anchor),
                    "{page}: {target} names no heading"
                );
            }
        }
    }
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
