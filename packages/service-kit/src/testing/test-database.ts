import { randomBytes } from 'node:crypto'
import mongoose, { type Connection } from 'mongoose'

/** A database of its own for one test file. */
export interface TestDatabase {
  /** The server's URL with the name of this database. */
  readonly url: string
  /** For looking at what is stored. */
  readonly connection: Connection
  /** Deletes the database and closes the connection. */
  readonly drop: () => Promise<void>
}

/**
 * A service's own database, for a test that changes what only that service writes. What is read here is found by each
 * transaction that begins later, as in a service.
 */
export const openDatabaseOf = (url: string): Promise<Connection> =>
  mongoose.createConnection(url, { autoCreate: false, autoIndex: false, readConcernLevel: 'majority' }).asPromise()

/** @param serverUrl a MongoDB URL; the database that it names is not touched. */
export async function openTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const url = new URL(serverUrl)
  url.pathname = `/test_${randomBytes(6).toString('hex')}`
  const connection = await openDatabaseOf(url.href)
  return {
    url: url.href,
    connection,
    drop: async () => {
      await connection.dropDatabase()
      await connection.close()
    },
  }
}
