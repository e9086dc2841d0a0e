import { MongoClient } from 'mongodb'
import type { Check, DiagnosisContext } from './check.ts'
import { directUrl } from './components/mongodb-client.ts'
import { backingUrl } from './environment.ts'

const database = 'parley_messaging'
const subject = 'Webhooks'

/** Pieces of webhooks that could not be applied; nothing while MongoDB does not answer, which has a line of its own. */
export async function checkDeadLetters({ environment, ports, launcher }: DiagnosisContext): Promise<Check[]> {
  const url = backingUrl(environment, 'MONGODB_URL') ?? (launcher === undefined ? undefined : directUrl(ports.mongodb))
  if (url === undefined) return []
  const options = { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000 }
  // A URL that cannot be read is told by that line, too.
  const client = await MongoClient.connect(url, options).catch(() => undefined)
  if (!client) return []
  try {
    const [found] = await client
      .db(database)
      .collection('rawEvents')
      .aggregate([
        { $match: { deadAt: { $exists: true } } },
        { $group: { _id: '$workspaceId', pieces: { $sum: 1 } } },
        { $group: { _id: null, workspaces: { $sum: 1 }, pieces: { $sum: '$pieces' } } },
      ])
      .toArray()
    if (!found) return [{ verdict: 'ok', subject, finding: 'none was set aside' }]
    return [
      {
        verdict: 'note',
        subject,
        finding: `${found['pieces']} pieces in ${found['workspaces']} workspaces could not be applied and were set aside`,
        remedy: 'deploy/docs/runbooks/ParleyDeadLetters.md says how they are seen and applied again.',
      },
    ]
  } catch {
    return []
  } finally {
    await client.close()
  }
}
