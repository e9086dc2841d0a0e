import { expect, test } from 'vitest'
import { createNumberConnection } from './connect-number.ts'
import { unknownFacts } from './number-facts.ts'
import type { NumberStore } from './number-store.ts'
import type { NumberRecord } from './numbers.model.ts'

const number = { ...unknownFacts, id: 'n', workspaceId: 'w', checks: [], quality: 'high' } as unknown as NumberRecord
const atWhatsApp = { id: '1', quality_rating: 'GREEN', name_status: 'APPROVED' }

/** Returns what is stored of WhatsApp's answer for a number that was `asked` about and is `now`. */
async function storedOf({ asked, now }: { asked: NumberRecord; now: NumberRecord }) {
  const stored: object[] = []
  const change: NumberStore['change'] = async (_caller, _id, update) => {
    const made = typeof update === 'function' ? update(now) : update
    if ('$set' in made) stored.push(made.$set ?? {})
    return now
  }
  const dependencies = { store: { change } } as unknown as Parameters<typeof createNumberConnection>[0]
  const connection = createNumberConnection(dependencies)
  await connection.keepChecks({ workspaceId: 'w' }, asked, { checks: [], found: { atWhatsApp } })
  return stored[0]
}

test('what WhatsApp has answered is stored', async () => {
  expect(await storedOf({ asked: number, now: { ...number, version: 2 } })).toMatchObject({
    quality: 'high',
    nameStatus: 'approved',
  })
})

test('an answer that is older than what was announced meanwhile is not', async () => {
  const stored = await storedOf({ asked: number, now: { ...number, quality: 'low' } })
  expect(stored).not.toHaveProperty('quality')
  expect(stored).not.toHaveProperty('nameStatus')
})
