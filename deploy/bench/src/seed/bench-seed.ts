import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@parley/local/paths'
import { MongoClient, type ObjectId } from 'mongodb'
import { z } from 'zod'
import { seedWorkspace } from './seed-workspace.ts'

/**
 * `npm run bench -- seed --email <account>`: fills the workspace of an account with contacts, conversations and messages, straight into the
 * database of the stack that runs, so that it can be looked at in the app. Nothing of it is on the simulator.
 */
const count = z.coerce.number().int().min(1).max(10_000_000)
const { values: flags } = parseArgs({
  options: {
    email: { type: 'string', default: '' },
    mongodb: { type: 'string' },
    contacts: { type: 'string', default: '1000000' },
    conversations: { type: 'string', default: '100000' },
    messages: { type: 'string', default: '1000000' },
  },
})
const email = z.email('name the account whose workspace it is: --email <address>').parse(flags.email)
const sizes = z.object({ contacts: count, conversations: count, messages: count }).parse(flags)
if (sizes.conversations > sizes.contacts) throw new Error('a conversation needs a contact of its own')

const client = new MongoClient(flags.mongodb ?? runningStack())
try {
  const begun = performance.now()
  await seedWorkspace(client.db('parley_messaging'), await workspaceOf(email), { sizes })
  console.log(`loaded in ${Math.round((performance.now() - begun) / 1000)} s`)
} finally {
  await client.close()
}

async function workspaceOf(address: string): Promise<ObjectId> {
  const profile = client.db('parley_profile')
  const user = await profile.collection('users').findOne({ email: address.toLowerCase() })
  const workspace = user && (await profile.collection('workspaces').findOne({ ownerId: user._id }))
  if (!workspace) throw new Error(`no workspace belongs to ${address}: sign up first`)
  return workspace._id
}

function runningStack(): string {
  const { mongodb } = z
    .object({ mongodb: z.string() })
    .parse(JSON.parse(readFileSync(join(repoRoot, '.parley/urls.json'), 'utf8')))
  return mongodb
}
