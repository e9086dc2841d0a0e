import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { Types } from 'mongoose'
import { vi } from 'vitest'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<Parley['signIn']>

/** Adds a member of a new workspace, with contacts whose numbers begin at +91 98765 43210. Returns their ids too. */
export async function newcomerWith(
  { signIn, services }: Pick<Parley, 'signIn' | 'services'>,
  people: readonly { name: string; tags?: string[]; attributes?: Record<string, string> }[],
): Promise<{ ann: Person; ids: string[] }> {
  const ann = signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const ids: string[] = []
  for (const [index, { name, tags = [], attributes = {} }] of people.entries()) {
    const contact = { name, phone: `+9198765${43_210 + index}`, tags, attributes }
    ids.push((await services.contactChanges.create(ann, contact)).id)
  }
  return { ann, ids }
}

/** A job over contacts, once it is over. */
export const jobEnded = (by: Pick<Person, 'ask'>, id: string): Promise<ContactJob> =>
  vi.waitFor(
    async () => {
      const { items }: { items: ContactJob[] } = await by.ask('GET', '/api/contact-jobs')
      const job = items.find((one) => one.id === id)
      if (!job || ['waiting', 'running'].includes(job.state)) throw new Error(`job ${id} is ${job?.state}`)
      return job
    },
    { timeout: 120_000, interval: 50 },
  )
