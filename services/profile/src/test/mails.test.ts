import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailsRepository } from '../modules/mails/mails.repository.ts'
import { startPeople } from './people.ts'
import { newSignIn } from './start-profile.ts'

let people: Awaited<ReturnType<typeof startPeople>>
beforeAll(async () => {
  people = await startPeople()
  Object.assign(people.messaging.state, { plan: { teamMembers: 5, ended: false } })
})
afterAll(() => people.stop())

test('a mail that the mail server puts off waits since it was ordered; after its last try it is counted', async () => {
  const ann = await people.profile.signIn({ name: 'Ann Lee' })
  const database = people.profile.database.connection
  const mails = createMailsRepository(database)
  await expect.poll(mails.oldestAt).toBe(undefined)
  people.mailServer.trouble({ at: 'rcpt', answer: '452 full' }, { at: 'rcpt', answer: '452 full' })
  const invitation = { email: newSignIn().email, role: 'agent' }
  const { body } = await people.call(ann, 'POST', '/api/invitations', invitation)
  const record = await database.collection('invitations').findOne({ _id: new Types.ObjectId(body.id) })
  const mail = { _id: record?.['mailId'] }
  const stored = () => database.collection('mails').findOne(mail)
  await expect.poll(async () => (await stored())?.['reason']).toContain('452')
  const postponed = await stored()
  const createdAt = postponed?.['createdAt']
  expect(postponed?.['dueAt']).not.toEqual(createdAt)
  expect(await mails.oldestAt()).toEqual(createdAt)
  await database.collection('mails').updateOne(mail, { $set: { dueAt: new Date(), tries: 11 } })
  await expect.poll(async () => (await stored())?.['state']).toBe('failed')
  expect(await mails.oldestAt()).toBe(undefined)
  const metrics = await (await fetch(`${people.worker.url}/metrics`)).text()
  expect(metrics).toMatch(/^mails_total\{outcome="given_up",process="profile-worker"\} 1$/m)
  expect(metrics).toMatch(/^pending_work_seconds\{kind="audit",/m)
})
