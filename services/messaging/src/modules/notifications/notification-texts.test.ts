import { expect, test } from 'vitest'
import type { CampaignRecord } from '../campaigns/campaigns.service.ts'
import type { TemplateRecord } from '../templates/templates.service.ts'
import { ofCampaign, ofCategory, ofTemplate } from './notification-texts.ts'

const at = new Date('2026-05-04T10:00:00Z')
const through = { id: 'c', name: 'Diwali', status: 'completed', completedAt: at } as CampaignRecord
const event = { id: 'e', at: at.toISOString() }
const template = { id: 't', name: 'offer', category: 'utility' } as TemplateRecord

test.each([
  [{ sent: 3, failed: 0, uncertain: 0 }, 'Everyone it could reach has been sent the message.'],
  [{ sent: 1204, failed: 3, uncertain: 0 }, '1,204 messages sent. 3 messages failed.'],
  [{ sent: 1, failed: 0, uncertain: 1 }, '1 message sent. 1 message not confirmed by WhatsApp.'],
])('a campaign that is through says what it came to: %j', (counts, body) => {
  expect(ofCampaign(through, counts)).toMatchObject({ title: 'Diwali is complete', body })
})

test('a refused template claims nothing about who was reached', () => {
  const paused = { ...through, status: 'paused', pausedFor: 'template_refused', stoppedAt: at } as CampaignRecord
  expect(ofCampaign(paused, { sent: 0, failed: 0, uncertain: 0 })?.body).not.toMatch(/left out/)
})

test('a disabled template and an announced category are told', () => {
  expect(ofTemplate(template, 'disabled', event)).toMatchObject({
    severity: 'error',
    title: 'offer was disabled by WhatsApp',
    body: 'It can no longer be sent.',
  })
  expect(ofTemplate({ ...template, statusDetail: 'It no longer exists at WhatsApp.' }, 'disabled', event)?.body).toBe(
    'It no longer exists at WhatsApp. It can no longer be sent.',
  )
  expect(ofTemplate(template, 'pending', event)).toBeUndefined()
  expect(ofCategory(template, 'marketing', event)).toMatchObject({
    category: 'template',
    severity: 'warning',
    title: 'offer will change its category',
    body: expect.stringContaining('from utility to marketing'),
  })
})
