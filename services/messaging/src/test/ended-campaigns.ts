import type { Missed } from '@parley/contracts/campaigns/campaign-fields'
import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import { expect } from 'vitest'
import { addContacts, eventually, firstName, launchCampaign } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

interface TestWorkspace {
  readonly parley: Awaited<ReturnType<typeof joinMessaging>>
  readonly templateId: string
}

export const missedBy = (campaignId: string, missed: Missed) => ({ kind: 'campaign', campaignId, missed })

/** Campaigns that are over, and those that follow them. @param firstPhone apart from those of the tests beside it. */
export function createEndedCampaigns(workspaceOf: () => TestWorkspace, firstPhone: number) {
  let phones = firstPhone
  const owner = () => workspaceOf().parley.signIn()
  const collection = (name: string) => workspaceOf().parley.database.connection.collection(name)
  const create = (audience: object, over: object = {}) => {
    const { parley, templateId } = workspaceOf()
    const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
    return launchCampaign(owner(), { ...input, ...over })
  }
  const preview = (audience: object) => {
    const { templateId } = workspaceOf()
    return owner().call('POST', '/api/campaigns/preview', { audience, templateId })
  }
  const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
  const rowsOf = (id: string) =>
    collection('campaignRecipients')
      .find({ campaignId: new Types.ObjectId(id) })
      .sort({ n: 1 })
      .toArray()
  const contactsIn = async (id: string) => (await rowsOf(id)).map(({ contactId }) => String(contactId))
  const completed = (id: string) =>
    eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed' }))

  /** A campaign that is over, with rows that came to this. @returns its id and the contacts, in the order of the rows. */
  async function over(states: readonly Record<string, unknown>[]) {
    phones += 10_000
    const { parley } = workspaceOf()
    const people = { count: states.length, firstPhone: phones, tags: [] }
    const contactIds = await addContacts(parley.database.connection, parley.scope, people)
    const { body } = await create({ kind: 'contacts', contactIds: contactIds.slice(0, 1) })
    await completed(body.id)
    await eventually(async () => expect((await read(body.id)).counts.read).toBe(1))
    const campaignId = new Types.ObjectId(String(body.id))
    const workspaceId = new Types.ObjectId(parley.scope.workspaceId)
    await collection('campaignRecipients').deleteMany({ campaignId })
    await collection('campaignRecipients').insertMany(
      states.map((state, n) => {
        const contactId = new Types.ObjectId(contactIds[n])
        return { _id: new Types.ObjectId(newId()), workspaceId, campaignId, contactId, n, ...state }
      }),
    )
    return { id: String(body.id), contactIds, campaignId }
  }

  return { owner, collection, create, preview, read, rowsOf, contactsIn, completed, over }
}
