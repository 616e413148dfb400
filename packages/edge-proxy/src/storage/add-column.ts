/** Adds a column to a table that an earlier version may have made without it; does nothing when it is there. */
export function addColumn(
  sql: SqlStorage,
  table: string,
  column: { readonly name: string; readonly type: string },
): void {
  const columns = sql.exec<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).toArray();
  if (columns.some(({ name }) => name === column.name)) return;
  sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column.name} ${column.type}`);
}
