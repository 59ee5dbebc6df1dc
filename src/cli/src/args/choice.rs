// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arguments that are read from a text and mostly are one of a few words.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::model::Measure;
use crate::top;
use crate::view::contexts::{Order, Part};
use crate::view::times::{By, TimesOrder, TimesPart};
use crate::view::{Field, Group, Key, SortKey};

/// What a shell offers to complete an argument with. More than that may be typed.
pub trait Choice: FromStr<Err = String> + Clone + Send + Sync + 'static {
    /// The words.
    fn words() -> Vec<&'static str>;
}

impl Choice for Group {
    fn words() -> Vec<&'static str> {
        Group::NAMES.to_vec()
    }
}

impl Choice for Field {
    fn words() -> Vec<&'static str> {
        Field::all().map(Field::name).collect()
    }
}

impl Choice for SortKey {
    fn words() -> Vec<&'static str> {
        Field::words()
    }
}

impl Choice for Key {
    fn words() -> Vec<&'static str> {
        Key::all().map(Key::name).collect()
    }
}

impl Choice for Order {
    fn words() -> Vec<&'static str> {
        Part::all().map(Part::name).collect()
    }
}

impl Choice for By {
    fn words() -> Vec<&'static str> {
        By::all().map(By::name).collect()
    }
}

impl Choice for TimesOrder {
    fn words() -> Vec<&'static str> {
        TimesPart::sorted().map(TimesPart::word).collect()
    }
}

impl Choice for Measure {
    fn words() -> Vec<&'static str> {
        Measure::all().map(Measure::name).collect()
    }
}

impl Choice for top::Order {
    fn words() -> Vec<&'static str> {
        top::Column::sorted().map(top::Column::name).collect()
    }
}

/// Reads a [`Choice`]. Hide its possible values: the help says in words what else there is.
#[derive(Clone, Debug, Default)]
pub struct Choosing<T>(PhantomData<T>);

impl<T> Choosing<T> {
    /// The parser.
    pub const fn new() -> Choosing<T> {
        Choosing(PhantomData)
    }
}

impl<T: Choice> TypedValueParser for Choosing<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        (|text: &str| text.parse::<T>()).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::words().into_iter().map(PossibleValue::new)))
    }
}
