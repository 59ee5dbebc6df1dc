// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names, Profile};
use crate::source::text;

fn profile(input: &str) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(input.as_bytes(), &mut builder).unwrap();
    builder.finish(Meta::default())
}

fn series_of(inputs: &[&str], exact: bool) -> Series {
    let mut series = Series::new(exact);
    for input in inputs {
        series.push(&profile(input).rows().iter().collect::<Vec<_>>());
    }
    series
}

fn series(inputs: &[&str]) -> Series {
    let mut series = series_of(inputs, false);
    series.finish([]);
    series
}

fn sums(tracks: &[Cow<'_, Track>], frames: usize) -> Vec<(i64, i64)> {
    let (mut bytes, mut calls) = (vec![0; frames], vec![0; frames]);
    for track in tracks {
        track.bytes.add_to(&mut bytes);
        track.calls.add_to(&mut calls);
    }
    bytes.into_iter().zip(calls).collect()
}

fn held(series: &Series) -> Vec<(u32, Vec<i64>)> {
    series.tracks.iter().map(|track| (track.site.line, track.bytes.values(series.frames()))).collect()
}

const A: &str = "8 1 a.c:1 func:f \n100 2 a.c:2 func:g \n0 0 z.c:1 func:f \n3 1 b.c:1 func:f \n";
const B: &str = "9 1 a.c:1 func:f \n7 7 c.c:1 [m] func:f \n2 1 a.c:9 func:h accurate:no\n";

#[test]
fn sites_come_and_go_between_profiles() {
    let series = series(&[A, B]);
    let expected = [(2, vec![100, 0]), (1, vec![8, 9]), (1, vec![0, 7]), (1, vec![3, 0]), (9, vec![0, 2])];
    assert_eq!(held(&series), expected, "what is always empty is left out");
    assert_eq!(sums(&series.fold(9, 9, &Subsystems::built_in()), 2), [(111, 4), (18, 9)]);
    assert_eq!(series.sums(), [111, 18]);
}

#[test]
fn sites_whose_line_has_moved_are_found_again() {
    let inputs = [
        "8 1 a.c:10 func:f \n5 1 a.c:20 func:f \n",
        "9 1 a.c:12 func:f \n6 1 a.c:22 func:f \n",
        "0 0 z.c:1 func:z \n",
        // Back again, and the site of another function has come.
        "9 1 a.c:12 func:f \n1 1 y.c:1 func:y \n",
    ];
    let mut series = series_of(&inputs, false);
    series.finish([]);
    let expected = [(12, vec![8, 9, 0, 9]), (22, vec![5, 6, 0, 0]), (1, vec![0, 0, 0, 1])];
    assert_eq!((held(&series), series.moved()), (expected.to_vec(), 2));
    let mut series = series_of(&inputs, true);
    series.finish([]);
    assert_eq!((series.len(), series.moved()), (5, 0));
}

#[test]
fn folding_keeps_the_sums_and_the_files() {
    let series = series(&[A, B]);
    let subsystems = Subsystems::built_in();
    for (keep, most) in (0..6).flat_map(|keep| [(keep, 9), (keep, 0)]) {
        assert_eq!(sums(&series.fold(keep, most, &subsystems), 2), [(111, 4), (18, 9)], "{keep} {most}");
    }
    let names = |most| series.fold(0, most, &subsystems).iter().map(|track| track.site.to_string()).collect::<Vec<_>>();
    assert_eq!(names(9), ["a.c:0 func:other (3)", "b.c:1 func:f", "c.c:1 [m] func:f"], "one of a kind keeps its name");
    assert_eq!(names(2), [".:0 func:other (4)", "c.c:1 [m] func:f"], "by directory where files are too many");
    let folded = series.fold(0, 9, &subsystems);
    assert_eq!((folded[0].folded, folded[0].accurate), (3, false));
}

#[test]
fn what_is_to_be_in_front_is_found_by_any_name_it_had() {
    let mut series =
        series_of(&["8 1 a.c:10 func:f \n90 1 b.c:1 func:g \n", "9 1 a.c:12 func:f \n90 1 b.c:1 func:g \n"], false);
    let site = |file: &str, line, func: &str| Site { file: file.into(), line, func: func.into(), module: None };
    let first = [site("a.c", 10, "f"), site("no.c", 1, "f"), site("a.c", 12, "f")];
    assert_eq!(series.finish(&first), [Some(0), None, Some(0)]);
    assert_eq!(held(&series)[0], (12, vec![8, 9]));
}

#[test]
fn what_all_kernels_count_has_a_course_of_its_own() {
    let text = |columns: &str, rows: &str| format!("sites - version: 1.0\n# bytes calls {columns} tag\n{rows}");
    let both = [
        text("slack allocs", "64 1 8 3 a.c:1 func:f\n32 1 4 1 b.c:1 func:g\n"),
        text("slack failed", "64 1 9 3 a.c:1 func:f\n"),
        text("slack allocs", "64 1 7 5 a.c:1 func:f\n32 1 2 1 b.c:1 func:g\n"),
    ];
    let mut series = series_of(&both.each_ref().map(String::as_str), false);
    series.finish([]);
    assert_eq!(series.counted(), [Number::Slack], "of the others some profile says nothing");
    let slack = |track: &Track| track.counted(Number::Slack).map(|course| course.values(3));
    assert_eq!(series.tracks.iter().map(slack).collect::<Vec<_>>(), [Some(vec![8, 9, 7]), Some(vec![4, 0, 2])]);
    let one = series.fold(0, 0, &Subsystems::built_in());
    assert_eq!(slack(&one[0]), Some(vec![12, 9, 9]));
    assert!(self::series(&["8 1 a.c:1 func:f\n"]).counted().is_empty());
}
