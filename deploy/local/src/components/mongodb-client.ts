import { type Document, MongoClient } from 'mongodb'

/** Runs one command on the admin database; `undefined` if the server does not answer within two seconds or refuses. */
export async function askMongodb(url: string, command: Document): Promise<Document | undefined> {
  let client: MongoClient | undefined
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000 })
    return await client.db('admin').command(command)
  } catch {
    return undefined
  } finally {
    await client?.close()
  }
}

/** One server of this machine, whatever its state in the replica set. */
export const directUrl = (port: number | undefined): string => `mongodb://127.0.0.1:${port}/?directConnection=true`
