/** The key behind session ids: one for the deployment, made on first use and never changed. */
import { newSecret } from '../http/ids.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { makeTables } from '../objects/schema-version.ts';

/** There is one object, with a fixed name. */
export class IdKeyObject extends PlacedObject {
  /** 256 random bits. Nothing is awaited between reading and writing, so that all callers get the same. */
  async read(): Promise<string> {
    const { sql } = this.ctx.storage;
    makeTables(sql, 'CREATE TABLE IF NOT EXISTS id_key (secret TEXT NOT NULL)');
    const [row] = sql.exec<{ secret: string }>('SELECT secret FROM id_key').toArray();
    if (row !== undefined) return row.secret;
    const secret = newSecret();
    sql.exec('INSERT INTO id_key (secret) VALUES (?)', secret);
    return secret;
  }
}
