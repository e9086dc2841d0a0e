/**
 * Makes MongoDB a replica set of one and its users; running it again changes nothing but passwords. It shares the
 * network of the server: before there is a first user, only a client on the same host may make one.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Db, MongoClient, MongoServerError } from 'mongodb'

const setting = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  console.error(`MongoDB cannot be set up: ${name} is missing`)
  process.exit(1)
}
const rootPassword = setting('MONGO_ROOT_PASSWORD')
/** One for each process with databases of its own. */
const users: { name: string; password: string; databases: string[] }[] = JSON.parse(setting('MONGO_USERS'))

/** A client that has once not found its server stays closed: each attempt has a client of its own. */
async function asking<T>(work: (admin: Db) => Promise<T>, auth?: { username: string; password: string }): Promise<T> {
  const client = new MongoClient('mongodb://127.0.0.1:27017/?directConnection=true', {
    serverSelectionTimeoutMS: 5000,
    ...(auth && { auth, authSource: 'admin' }),
  })
  try {
    return await work(client.db('admin'))
  } finally {
    await client.close()
  }
}

const hasCode = (error: unknown, ...codes: number[]) =>
  error instanceof MongoServerError && typeof error.code === 'number' && codes.includes(error.code)
const [unauthorized, authenticationFailed, alreadyInitialized, userExists] = [13, 18, 23, 51003]

/** True once the server takes writes; initiates the set where that has not been done. */
async function isPrimary(admin: Db): Promise<boolean> {
  const hello = await admin.command({ hello: 1 })
  if (hello['isWritablePrimary'] === true) return true
  if (hello['isreplicaset'] === true) {
    const members = [{ _id: 0, host: 'mongo:27017' }]
    await admin.command({ replSetInitiate: { _id: 'rs0', members } }).catch((error: unknown) => {
      // Initiated before, and not elected yet.
      if (!hasCode(error, unauthorized, alreadyInitialized)) throw error
    })
  }
  return false
}

async function untilPrimary(): Promise<void> {
  const deadline = Date.now() + 120_000
  for (;;) {
    let fault: unknown = new Error('MongoDB did not become primary within two minutes')
    try {
      if (await asking(isPrimary)) return
    } catch (error) {
      if (error instanceof MongoServerError) throw error
      fault = error
    }
    if (Date.now() > deadline) throw fault
    await wait(300)
  }
}

async function makeRoot(admin: Db): Promise<void> {
  await admin.command({ createUser: 'root', pwd: rootPassword, roles: ['root'] }).catch((error: unknown) => {
    if (!hasCode(error, unauthorized, userExists)) throw error
  })
}

async function makeUsers(admin: Db): Promise<void> {
  for (const { name, password, databases } of users) {
    const user = { pwd: password, roles: databases.map((db) => ({ role: 'readWrite', db })) }
    await admin.command({ createUser: name, ...user }).catch(async (error: unknown) => {
      if (!hasCode(error, userExists)) throw error
      await admin.command({ updateUser: name, ...user })
    })
  }
}

try {
  await untilPrimary()
  await asking(makeRoot)
  await asking(makeUsers, { username: 'root', password: rootPassword })
  console.log('MongoDB is a replica set with its users')
} catch (error) {
  if (!hasCode(error, authenticationFailed)) throw error
  console.error('MongoDB has data of other secrets: its root password is not the one of the volume secrets-made')
  process.exitCode = 1
}
