//! Columns of text.

use std::fmt;

/// Where the cells of a column stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows of cells under each other, each column as wide as its widest cell, two spaces between.
pub(super) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and their names.
    pub(super) fn new<T: Into<String>>(columns: impl IntoIterator<Item = (Align, T)>) -> Table {
        let (columns, names) = (columns.into_iter())
            .map(|(align, name)| (align, name.into()))
            .unzip();
        Table {
            columns,
            rows: vec![names],
        }
    }

    /// Adds a row. Cells without a column are not shown.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(widest).collect()
    }
}

impl fmt::Display for Table {
    /// Writes the rows, each with its line break and no spaces at its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let cells = row.iter().zip(self.columns.iter().zip(&widths));
            let cells: Vec<String> = cells
                .map(|(cell, (align, &width))| match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                })
                .collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new([
            (Align::Left, "bot"),
            (Align::Right, "µs"),
            (Align::Left, ""),
        ]);
        table.push(["a", "1234", "x"].map(str::to_owned).to_vec());
        table.push(["long", "1", ""].map(str::to_owned).to_vec());
        assert_eq!(table.to_string(), "bot     µs\na     1234  x\nlong     1\n");
    }
}
