use super::*;
use crate::fixtures::{assert_finite, empty_record, match_record, round_robin};

fn records() -> [TournamentRecord; 5] {
    [
        match_record(),
        empty_record(),
        round_robin(1),
        round_robin(4),
        round_robin(20),
    ]
}

#[test]
fn pages_need_nothing_from_outside() {
    for record in records() {
        let page = page(&record);
        for word in [
            "http:",
            "https:",
            "<script src",
            "<link",
            "<img",
            "@import",
            "url(",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        assert_finite(&page);
    }
}

#[test]
fn names_and_last_words_are_escaped() {
    let mut record = match_record();
    record.bots[1].label = "exec:./a <script>&\"".to_owned();
    let page = page(&record);
    assert!(page.contains("exec:./a &lt;script&gt;&amp;&quot;"));
    assert!(page.contains("oh &lt;no&gt;"));
    assert!(!page.contains("<no>"));
    assert_eq!(page.matches("<script").count(), 1);
}

#[test]
fn every_element_is_closed() {
    for record in records() {
        let page = page(&record);
        for tag in [
            "table", "tr", "td", "th", "svg", "text", "figure", "details", "ul", "li", "dl",
        ] {
            let opened = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}

#[test]
fn figures_say_what_they_show() {
    let page = page(&round_robin(4));
    // The board of the games has its label from the script.
    assert_eq!(page.matches("role=\"img\"").count(), 4 + 1);
    for id in ["elo", "time", "nodes", "length"] {
        let labels = format!("aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-desc\"");
        assert!(page.contains(&labels), "{id}");
        assert!(page.contains(&format!("<h3 id=\"{id}-title\">")), "{id}");
        assert!(
            page.contains(&format!("<p hidden id=\"{id}-desc\">")),
            "{id}"
        );
    }
    assert_eq!(page.matches("-desc\">bot ").count(), 3);
    assert!(page.contains("-desc\">white won: ") || page.contains("-desc\">draw: "));
}

#[test]
fn openings_have_results_and_games_their_moves() {
    let page = page(&match_record());
    assert!(page.contains("All 1 openings"), "{page}");
    // Games 1 and 4 were won by White, 2 was drawn, 3 counts for nothing.
    let row = "<td class=\"n\">3</td><td class=\"n\">2</td><td class=\"n\">1</td>\
               <td class=\"n\">0</td><td class=\"n\">83.3 %</td>";
    assert!(page.contains(row), "{page}");
    assert!(page.contains("1. c3-d4 f6-g5 2. b2-c3"), "{page}");
}

#[test]
fn every_game_that_is_listed_can_be_shown_on_the_board() {
    for (record, listed) in [(match_record(), 4), (round_robin(20), 200)] {
        let page = page(&record);
        let games: Vec<&str> = page.split("data-positions=\"").skip(1).collect();
        assert_eq!(games.len(), listed);
        for (text, (_, game)) in games.iter().zip(record.paired_games()) {
            let positions = text.split('"').next().unwrap();
            assert_eq!(positions.len(), 32 * (game.moves.len() + 1));
            assert!(positions.starts_with("wwwwwwwwwwww........bbbbbbbbbbbb"));
        }
        let board = page.find("id=\"viewer\"").unwrap();
        assert!(board < page.find("<script type=\"module\">").unwrap());
    }
}

#[test]
fn a_long_list_of_games_is_cut() {
    assert!(page(&round_robin(4)).contains("All 12 games"));
    assert!(page(&round_robin(20)).contains("The first 200 of 380 games"));
}

#[test]
fn a_page_is_written_into_a_directory_that_may_be_new() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a/b");
    ReportDirectory::prepare(&path)
        .unwrap()
        .write(&match_record())
        .unwrap();
    let written = std::fs::read_to_string(path.join(PAGE)).unwrap();
    assert_eq!(written, page(&match_record()));
    let file = path.join(PAGE);
    let error = ReportDirectory::prepare(&file).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("cannot make the directory {}", file.display())
    );
}
