import { Secret } from '@parley/service-kit/core/secret-box'
import { expect, test } from 'vitest'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import { FileFault, HostBusy } from './file-faults.ts'
import { createRecipientFileWork } from './recipient-file-work.ts'
import type { RecipientFileRecord } from './recipient-files.model.ts'

type Work = Parameters<typeof createRecipientFileWork>[0]
const unused = (): never => expect.fail('this is not asked for')
const start = new Date('2026-05-04T10:00:00Z')
const job = { id: 'c', workspaceId: 'w' }

/** Files of one campaign as the database keeps them, and a worker whose clock is moved by hand. */
function campaignOf(count: number) {
  const stored = Array.from(
    { length: count },
    (_, index): RecipientFileRecord => ({
      ...{ id: `f${index}`, workspaceId: 'w', campaignId: 'c', numberId: 'n', kind: 'document' as const },
      ...{
        address: `https://files.shop.example/${index}.pdf`,
        key: `${index}`,
        state: 'waiting' as const,
        attempts: 0,
      },
      dueAt: start,
    }),
  )
  const change = (id: string, claim: string, over: object) => {
    const index = stored.findIndex((file) => file.id === id && file.claim === claim)
    if (index < 0) return false
    stored[index] = { ...(stored[index] ?? unused()), ...over }
    return true
  }
  const clock = { now: start }
  const [fetched, uploaded, known]: [string[], string[], Map<string, string>] = [[], [], new Map()]
  const released: string[] = []
  const recipientFiles = {
    due: unused,
    claim: async (_scope, _id, { now, claim, leaseUntil }) => {
      const index = stored.findIndex(({ dueAt }) => dueAt && dueAt <= now)
      const found = stored[index]
      if (!found) return null
      const claimed = { ...found, claim, dueAt: leaseUntil }
      stored[index] = claimed
      return claimed
    },
    noteFetched: async ({ id }, claim, file) => change(id, claim, file),
    end: async ({ id }, claim, ended) => {
      change(id, claim, { ...ended, claim: undefined, ...(ended.state && { dueAt: undefined }) })
    },
  } satisfies Work['recipientFiles']
  const work = (over: Partial<Work> = {}) =>
    createRecipientFileWork({
      recipientFiles,
      fetchFile: (async (address: string) => {
        fetched.push(address)
        return { id: `m${address.match(/\d+/)?.[0]}`, type: 'application/pdf', sizeBytes: 1, sha256: '' }
      }) as Work['fetchFile'],
      media: { keepFetched: unused },
      releasedFiles: { note: async (_scope, mediaId) => void released.push(mediaId) },
      outboundMedia: {
        known: async () => known,
        upload: async (_scope, { mediaId }) => {
          uploaded.push(mediaId)
          known.set(mediaId, `wa-${mediaId}`)
          return `wa-${mediaId}`
        },
      },
      numbers: {
        readToSend: async () => ({ id: 'n' }) as Awaited<ReturnType<Work['numbers']['readToSend']>>,
        stop: unused,
        tokenOf: () => new Secret('token'),
      },
      graphs: { of: () => ({}) as ReturnType<Work['graphs']['of']> },
      wakeSender: () => undefined,
      now: () => clock.now,
      ...over,
    })
  return { stored, clock, fetched, uploaded, work, known, released }
}

test('files that a process had in hand as it ended are taken up by the next: none is fetched twice, none uploaded twice', async () => {
  const { stored, clock, fetched, uploaded, work, known } = campaignOf(9)
  const dying = work({
    outboundMedia: {
      known: async () => known,
      upload: async (_scope, { mediaId }) => {
        if (uploaded.length === 3) throw new Error('the process ends')
        uploaded.push(mediaId)
        known.set(mediaId, mediaId)
        return mediaId
      },
    },
  })
  await expect(dying.perform(job, () => undefined)).rejects.toThrow('the process ends')
  // Its leases still hold.
  await work().perform(job, () => undefined)
  expect(uploaded.length).toBeLessThan(9)
  clock.now = new Date(start.getTime() + 10 * 60_000)
  await work().perform(job, () => undefined)
  expect(stored.map(({ state }) => state)).toEqual(Array(9).fill('ready'))
  expect([new Set(fetched).size, fetched.length]).toEqual([9, 9])
  expect([new Set(uploaded).size, uploaded.length]).toEqual([9, 9])
})

test('a server that is away is tried five times, and as late as it asks; the file has failed then, with its reason', async () => {
  const { stored, clock, work } = campaignOf(1)
  let tries = 0
  const away = work({
    fetchFile: (async () => {
      tries += 1
      throw new FileFault('unreachable', 'Its server answered 503.', { temporary: true, retryAfterMs: 60_000 })
    }) as Work['fetchFile'],
  })
  for (let minute = 0; minute < 30; minute += 1) {
    await away.perform(job, () => undefined)
    if (minute === 0) expect(stored[0]?.dueAt).toEqual(new Date(start.getTime() + 60_000))
    clock.now = new Date(clock.now.getTime() + 60_000)
  }
  expect(tries).toBe(5)
  expect(stored[0]).toMatchObject({ state: 'failed', code: 9_100_003, detail: 'Its server answered 503.' })
})

test('a file that is not there fails at once, and no other', async () => {
  const { stored, work, uploaded } = campaignOf(3)
  const some = work({
    fetchFile: (async (address: string) => {
      if (address.endsWith('1.pdf')) throw new FileFault('missing', 'Its server answered 404.')
      return { id: address, type: 'application/pdf', sizeBytes: 1, sha256: '' }
    }) as Work['fetchFile'],
  })
  await some.perform(job, () => undefined)
  expect(stored.map(({ state }) => state)).toEqual(['ready', 'failed', 'ready'])
  expect(uploaded).toHaveLength(2)
})

test('trouble at WhatsApp, and a busy host, are no attempts of the file: it is fetched once, and waits', async () => {
  const { stored, clock, work, fetched, uploaded } = campaignOf(1)
  const upload = async () => {
    throw new GraphCallFailed('WhatsApp answered 503.')
  }
  const away = work({ outboundMedia: { known: async () => new Map(), upload } })
  for (let minute = 0; minute < 20; minute += 1) {
    await away.perform(job, () => undefined)
    clock.now = new Date(clock.now.getTime() + 60_000)
  }
  const busy = work({
    fetchFile: (async () => {
      throw new HostBusy()
    }) as Work['fetchFile'],
  })
  const [only = unused()] = stored
  stored[0] = { ...only, mediaId: undefined }
  await busy.perform(job, () => undefined)
  expect([stored[0]?.state, stored[0]?.attempts, fetched.length]).toEqual(['waiting', 0, 1])
  clock.now = new Date(clock.now.getTime() + 60_000)
  await work().perform(job, () => undefined)
  expect([stored[0]?.state, uploaded.length]).toEqual(['ready', 1])
})

test('a file whose record has gone while it was fetched is noted for its deletion', async () => {
  const { stored, work, released, uploaded } = campaignOf(1)
  const erased = work({
    fetchFile: (async () => {
      stored.length = 0
      return { id: 'm', type: 'application/pdf', sizeBytes: 1, sha256: '' }
    }) as Work['fetchFile'],
  })
  await erased.perform(job, () => undefined)
  expect([released, uploaded]).toEqual([['m'], []])
})

test('files of a number that is gone are given up', async () => {
  const { stored, work, fetched } = campaignOf(2)
  const gone = work({ numbers: { readToSend: async () => null, stop: unused, tokenOf: unused } })
  await gone.perform(job, () => undefined)
  expect(stored.map(({ state, code, dueAt }) => [state, code, dueAt])).toEqual(
    Array(2).fill(['failed', 9_100_008, undefined]),
  )
  expect(fetched).toEqual([])
})

test('a file that WhatsApp does not take is uploaded a few times again, and has failed then', async () => {
  const { stored, clock, work } = campaignOf(1)
  let tries = 0
  const upload = async () => {
    tries += 1
    throw new GraphCallFailed('refused', { code: 131053, message: 'Media upload error' })
  }
  const refused = work({ outboundMedia: { known: async () => new Map(), upload } })
  for (let minute = 0; minute < 30; minute += 1) {
    await refused.perform(job, () => undefined)
    clock.now = new Date(clock.now.getTime() + 60_000)
  }
  expect(tries).toBe(5)
  expect(stored[0]).toMatchObject({ state: 'failed', detail: 'WhatsApp has not taken it: Media upload error' })
})
