import { ObjectId } from 'mongodb'
import { addAudience, addTemplate } from '../campaigns/audience.ts'
import { createCalls } from '../campaigns/calls.ts'
import { type Rig, startRig } from '../messaging/rig.ts'
import { log } from '../report.ts'
import { seedWorkspace, withoutIndexes } from '../seed/seed-workspace.ts'
import type { Work } from '../work/work.ts'
import { createWorkload, customersWrite, statusesOf } from '../work/workload.ts'

/** Contents and processes of an installation. */
export interface Point {
  /** Stored messages of the workspace that is measured. */
  readonly messages: number
  readonly workspaces: number
  readonly workers: number
}

/** Returns what each of `count` pieces of work takes at one point, by the name of the work. */
export async function measurePoint(
  { messages, workspaces, workers }: Point,
  count: number,
  cleanUp: AsyncDisposableStack,
): Promise<Readonly<Record<string, Work>>> {
  const rig = await startRig(1, cleanUp)
  const { db } = rig
  const [line] = rig.lines
  const number = await db.collection('numbers').findOne()
  if (!line || !number) throw new Error('no number is connected')
  const workspaceId: ObjectId = number['workspaceId']
  await withoutIndexes(db, async () => {
    const sizes = { contacts: messages / 10, conversations: messages / 100, messages }
    await seedWorkspace(db, workspaceId, { sizes })
    for (let other = 1; other < workspaces; other += 1) await seedOther(rig)
  })
  const templateId = await addTemplate(db, workspaceId, line)
  const calls = createCalls(rig.person, { numberId: line.id.toHexString(), templateId })
  const running = []
  for (let worker = 0; worker < workers; worker += 1) running.push(cleanUp.use(await rig.startWorker()))
  const workload = await createWorkload(rig, running)

  const measureAll = async (round: number): Promise<Record<string, Work>> => {
    const tag = `round${round}`
    await addAudience(db, workspaceId, { tag, count, block: round })
    await workload.measureIdle()
    const { work: campaign, id } = await workload.measureCampaign(calls, { tag, count })
    const statuses = await workload.measureApplied(await statusesOf(rig, id))
    const newCustomer = await workload.measureApplied(customersWrite(rig, round, count))
    const customer = await workload.measureApplied(customersWrite(rig, round, count))
    const conversation = await db.collection('conversations').findOne({ workspaceId })
    const page = (path: string) => workload.measureAsked(() => rig.person.ask('GET', path), Math.ceil(count / 20))
    return {
      'message of a campaign': campaign,
      status: statuses,
      'message of a new customer': newCustomer,
      'message of a customer': customer,
      'page of contacts': await page('/api/contacts'),
      'page of the inbox': await page('/api/conversations?limit=20'),
      'page of a thread': await page(`/api/conversations/${conversation?._id}/messages`),
    }
  }
  log('a first round, for code and caches …')
  await measureAll(0)
  log('the one that counts …')
  return measureAll(1)
}

/** Fills another workspace with little: what counts is how many there are. */
async function seedOther({ db }: Rig): Promise<void> {
  const workspaceId = new ObjectId()
  await seedWorkspace(db, workspaceId, { sizes: { contacts: 2, conversations: 1, messages: 2 } })
  await db.collection('eventHeads').insertOne({ _id: workspaceId, seq: 2, due: [] })
}
