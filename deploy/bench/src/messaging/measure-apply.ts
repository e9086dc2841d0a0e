import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { peakMiB } from '../capacity/costs.ts'
import { rateUntilEmpty } from './backlog.ts'
import type { Rig } from './rig.ts'
import { inboundText, postWebhooks, type SignedWebhook, statusOf } from './webhooks.ts'

/** Statuses of a message that has left, in the order in which they come. */
const ladder = ['sent', 'delivered', 'read'] as const

/**
 * Events a second that one worker applies, and the most memory that it has meanwhile. They lie in the lanes when it starts: three
 * statuses of each message that was sent and has none yet, and one message of its customer.
 */
export async function measureApply(rig: Rig, connections: number): Promise<{ perSecond: number; memoryMiB: number }> {
  const [events, messages] = [rig.db.collection('rawEvents'), rig.db.collection('messages')]
  const webhooks = await webhooksOfSent(rig)
  await postWebhooks(webhooks, { url: rig.hook.url, file: join(rig.folder, 'apply.json'), connections })
  const worker = await rig.startWorker()
  try {
    const waiting = () => events.countDocuments({ lane: { $gte: '' } }, { hint: 'pending' })
    const perSecond = await rateUntilEmpty(waiting)
    const unread = await messages.countDocuments({ direction: 'outbound', status: { $ne: 'read' } })
    if (unread > 0) throw new Error(`${unread} messages have missed a status`)
    return { perSecond, memoryMiB: peakMiB(worker.pid()) }
  } finally {
    await worker.stop()
  }
}

async function webhooksOfSent({ db, hook, lines }: Rig): Promise<SignedWebhook[]> {
  const phoneNumberIds = new Map(lines.map(({ id, phoneNumberId }) => [String(id), phoneNumberId]))
  const contacts = await db.collection('contacts').find().toArray()
  const phones = new Map(contacts.map(({ _id, phone }) => [String(_id), String(phone).slice(1)]))
  const sent = await db.collection('messages').find({ direction: 'outbound', status: 'queued' }).toArray()
  const webhooks = sent.map(({ _id, waMessageId, contactId, numberId }) => {
    const phoneNumberId = phoneNumberIds.get(String(numberId)) ?? ''
    const phone = phones.get(String(contactId)) ?? ''
    const about = { phoneNumberId, to: phone, wamid: String(waMessageId), callbackData: String(_id) }
    return [
      ...ladder.map((status) => statusOf(hook, { ...about, status })),
      inboundText(hook, { phoneNumberId, from: phone, wamid: `wamid.${randomUUID()}`, text: 'Thank you!' }),
    ]
  })
  // As they come in: all messages go up the ladder side by side.
  return [0, 1, 2, 3].flatMap((step) => webhooks.flatMap((own) => own.slice(step, step + 1)))
}
