import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { Types } from 'mongoose'
import { afterEach, beforeAll, expect } from 'vitest'
import { addContacts, approvedTemplate, firstName, launchCampaign, sendAt, workOn } from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

export const hoursPath = '/api/workspace/sending-hours'
const hourMs = 3_600_000

/** Returns hours by the clock of a zone, from `before` hours before now to `after` hours after. */
const around = (zone: string, [before, after]: readonly [number, number]) => {
  const time = (hours: number) => wallTimeOf(new Date(Date.now() + hours * hourMs), zone).time
  return { limited: true, opens: time(-before), closes: time(after) }
}
/** Zone of contacts without one of their own: their numbers are from there. */
const home = 'Asia/Kolkata'
/** Hours there that are far from now, or around it. */
export const closed = () => around(home, [-6, 8])
export const open = () => around(home, [6, 6])
/** Returns two hours in which a zone is open. */
export const openIn = (zone: string) => around(zone, [1, 1])

/** Messaging whose worker is stopped: each round is one that a test asks for, or of a worker that it starts. */
export function useStoppedMessaging(firstPhone: number) {
  const started: { parley?: Awaited<ReturnType<typeof startMessaging>>; templateId?: string } = {}
  let phones = firstPhone
  beforeAll(async () => {
    const parley = await startMessaging()
    started.parley = parley
    await sendAt(parley, 150)
    started.templateId = await approvedTemplate(parley)
    await parley.worker.stop()
    return () => parley.stop()
  })
  afterEach(() => keepTo({ limited: false }))

  const parley = () => started.parley ?? expect.fail('it has not started')
  const templateId = () => started.templateId ?? expect.fail('it has not started')
  const owner = () => parley().signIn()

  async function keepTo(hours: Partial<SendingHours>): Promise<SendingHours> {
    const { body } = await owner().call('GET', hoursPath)
    const answer = await owner().call('PUT', hoursPath, { ...body, zone: 'UTC', ...hours })
    expect(answer.status).toBe(200)
    return answer.body
  }

  /** Creates people under a tag, who live in a zone if one is named. @returns their ids. */
  async function addPeople(tag: string, count: number, zone?: string): Promise<string[]> {
    phones += 10_000
    const over = zone === undefined ? {} : { attributes: [{ k: 'timezone', v: zone }] }
    const { database, scope } = parley()
    return addContacts(database.connection, scope, { count, firstPhone: phones, tags: [tag], over })
  }

  const fieldsFor = (tag: string) => ({
    name: 'Spring tea',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley().number.id,
    templateId: templateId(),
    variables: firstName,
  })
  async function createCampaign(over: object = {}): Promise<string> {
    const tag = newTag()
    await addPeople(tag, 30)
    const { status, body } = await launchCampaign(owner(), { ...fieldsFor(tag), ...over }, { perform: round })
    expect(status).toBe(200)
    return body.id
  }

  const change = (id: string, action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
  const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
  const round = (id: string) => workOn(parley(), id)
  const inOutbox = (id: string, state: string) =>
    parley().database.connection.collection('messages').countDocuments({ 'cause.id': id, 'dispatch.state': state })

  return { parley, templateId, owner, keepTo, addPeople, fieldsFor, createCampaign, change, read, round, inOutbox }
}

export const newTag = () => `t${new Types.ObjectId().toHexString()}`
