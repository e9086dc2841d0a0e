import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { eachWithDatabase } from './each-with-database.ts'

const { client, home, folder, backup, command } = eachWithDatabase()
const workspaceId = new ObjectId()
const list = () => join(home(), 'erasures.jsonl')
const linesOf = async () => (await readFile(list(), 'utf8')).trim().split('\n')

const contacts = () => client().db().collection('contacts')
async function addContact(name: string) {
  const { insertedId } = await contacts().insertOne({ workspaceId, name, live: true, version: 4 })
  return insertedId
}
/** Erases a contact as messaging does: the contact is gone, its job stays for a week. */
async function erase(contactId: ObjectId, job: object = {}) {
  await contacts().deleteOne({ _id: contactId })
  await client()
    .db()
    .collection('jobs')
    .insertOne({
      workspaceId,
      kind: 'contacts.erase',
      state: 'done',
      result: { mentions: [] },
      input: { contactId: String(contactId) },
      createdAt: new Date(),
      ...job,
    })
}

test('who was erased after the backup is erased again after a restore, and nobody else', async () => {
  const [asha, meera, mohan, lena] = [
    await addContact('Asha'),
    await addContact('Meera'),
    await addContact('Mohan'),
    await addContact('Lena'),
  ]
  await backup()
  await erase(asha)
  await erase(meera, { state: 'running', result: null })
  await erase(lena, { state: 'failed' })
  const { output } = await command('restore', folder(), '--force')
  expect(output).toContain('2 contacts of the list of erasures are erased again when the worker runs.')

  const found = await contacts().find().sort({ _id: 1 }).toArray()
  // Messaging erases at once a contact that was deleted more than thirty days ago.
  const erased = { live: false, deletedAt: new Date(0), version: 5 }
  expect(found).toMatchObject([erased, erased, { live: true, version: 4 }, { live: true, version: 4 }])
  expect(found.map(({ _id }) => String(_id))).toEqual([asha, meera, mohan, lena].map(String))
})

test('the list is kept outside of backups, has ids alone, and outlives the database', async () => {
  const asha = await addContact('Asha Rao')
  await backup()
  await erase(asha)
  expect((await command('erasures', home())).output).toBe(`1 erasures added to ${list()}.`)
  expect((await command('erasures', home())).output).toBe(`0 erasures added to ${list()}.`)
  const [line = ''] = await linesOf()
  expect(JSON.parse(line)).toEqual({
    workspaceId: String(workspaceId),
    contactId: String(asha),
    at: expect.stringMatching(/^20\d\d-.*Z$/),
  })
  expect((await stat(list())).mode & 0o077).toBe(0)
  // The job is over, or everything is lost.
  await client().db().dropDatabase()
  expect((await command('restore', folder())).output).toContain('1 contacts of the list')
  expect(await contacts().findOne()).toMatchObject({ live: false })
})

test('a backup completes the list too; another place is told by an option', async () => {
  const asha = await addContact('Asha')
  await backup()
  await erase(asha)
  expect((await command('backup', join(home(), 'later'))).output).toContain('1 erasures added')
  await client().db().dropDatabase()
  const elsewhere = join(home(), 'elsewhere.jsonl')
  expect((await command('restore', folder(), '--erasures', elsewhere)).output).toContain('0 contacts of the list')
  expect((await command('restore', folder(), '--force', '--erasures', list())).output).toContain(
    '1 contacts of the list',
  )
})

test('somebody of another workspace with that id is left alone', async () => {
  const asha = await addContact('Asha')
  await backup()
  const line = { workspaceId: String(new ObjectId()), contactId: String(asha), at: new Date().toISOString() }
  await appendFile(list(), `${JSON.stringify(line)}\n`)
  await command('restore', folder(), '--force')
  expect(await contacts().findOne()).toMatchObject({ live: true })
})

test('a list that cannot be read stops a restore before anything is touched', async () => {
  await addContact('Asha')
  await backup()
  await appendFile(list(), '{"workspaceId":"')
  const refused = await command('restore', folder(), '--force')
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(`Line 1 of ${list()} is no erasure.`) })
  expect(await contacts().countDocuments()).toBe(1)
})
