import { expect, test, vi } from 'vitest'
import { setStorageOwner } from '../../../lib/session-storage.ts'
import { draftOf, followDraft, storeCampaignDraft } from './drafts.ts'

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

/** Opens another tab of the browser. */
function otherTab() {
  const channel = new BroadcastChannel('parley-drafts')
  const heard: unknown[] = []
  channel.onmessage = ({ data }) => void heard.push(data)
  return { channel, heard }
}

test('two tabs of a person show the same draft; a note stays in its own', async () => {
  setStorageOwner('asha')
  const { channel, heard } = otherTab()
  const shown: string[] = []
  const end = followDraft('priya', (text) => void shown.push(text))
  try {
    await eventually(() => expect(heard).toEqual([{ type: 'asked', uid: 'asha', conversationId: 'priya' }]))
    channel.postMessage({ type: 'draft', uid: 'somebody else', conversationId: 'priya', text: 'not mine' })
    channel.postMessage({ type: 'draft', uid: 'asha', conversationId: 'rahul', text: 'not here' })
    channel.postMessage({ type: 'draft', uid: 'asha', conversationId: 'priya', text: 'from the other tab' })
    await eventually(() => expect(shown).toEqual(['from the other tab']))
    expect(draftOf('priya')).toBe('from the other tab')

    // Changes from another tab are not sent back.
    storeCampaignDraft('priya', 'from the other tab', { shared: true })
    storeCampaignDraft('priya', 'only for us', { shared: false })
    storeCampaignDraft('priya', 'for the customer', { shared: true })
    const draft = { type: 'draft', uid: 'asha', conversationId: 'priya', text: 'for the customer' }
    await eventually(() => expect(heard.slice(1)).toEqual([draft]))
    channel.postMessage({ type: 'asked', uid: 'asha', conversationId: 'priya' })
    await eventually(() => expect(heard.slice(1)).toEqual([draft, draft]))
  } finally {
    end()
    channel.close()
  }
})
