/**
 * Makes MongoDB a replica set of one and its users; running it again changes nothing but passwords. It shares the
 * network of the server: before there is a first user, only a client on the same host may make one.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { MongoClient, MongoServerError } from 'mongodb'

const password = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  console.error(`MongoDB cannot be set up: ${name} is missing`)
  process.exit(1)
}
const rootPassword = password('MONGO_ROOT_PASSWORD')
const profilePassword = password('MONGO_PROFILE_PASSWORD')
const deadline = Date.now() + 120_000

const connect = (auth?: { username: string; password: string }) =>
  new MongoClient('mongodb://127.0.0.1:27017/?directConnection=true', {
    serverSelectionTimeoutMS: 2000,
    ...(auth && { auth, authSource: 'admin' }),
  })

/** Repeats what fails only because the server is not there yet. */
async function patiently<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    try {
      const result = await attempt()
      if (result !== undefined) return result
    } catch (error) {
      if (error instanceof MongoServerError || Date.now() > deadline) throw error
    }
    if (Date.now() > deadline) throw new Error('MongoDB did not become primary within two minutes')
    await wait(300)
  }
}

const hasCode = (error: unknown, ...codes: number[]) =>
  error instanceof MongoServerError && typeof error.code === 'number' && codes.includes(error.code)
const [unauthorized, authenticationFailed, alreadyInitialized, userExists] = [13, 18, 23, 51003]

const visitor = connect()
const anonymous = visitor.db('admin')
await patiently(async () => {
  const hello = await anonymous.command({ hello: 1 })
  if (hello['isWritablePrimary'] === true) return true
  if (hello['isreplicaset'] !== true) return undefined
  const members = [{ _id: 0, host: 'mongo:27017' }]
  await anonymous.command({ replSetInitiate: { _id: 'rs0', members } }).catch((error: unknown) => {
    // Initiated before, and not elected yet.
    if (!hasCode(error, unauthorized, alreadyInitialized)) throw error
  })
  return undefined
})

await anonymous.command({ createUser: 'root', pwd: rootPassword, roles: ['root'] }).catch((error: unknown) => {
  if (!hasCode(error, unauthorized, userExists)) throw error
})
await visitor.close()

const owner = connect({ username: 'root', password: rootPassword })
const admin = owner.db('admin')
const profile = { pwd: profilePassword, roles: [{ role: 'readWrite', db: 'parley_profile' }] }
try {
  await admin.command({ createUser: 'profile', ...profile }).catch(async (error: unknown) => {
    if (!hasCode(error, userExists)) throw error
    await admin.command({ updateUser: 'profile', ...profile })
  })
  console.log('MongoDB is a replica set with its users')
} catch (error) {
  if (!hasCode(error, authenticationFailed)) throw error
  console.error('MongoDB has data of other secrets: its root password is not the one of the volume secrets-made')
  process.exitCode = 1
} finally {
  await owner.close()
}
