import { expect, test } from 'vitest'
import { authenticationComponents } from './authentication-components.ts'

test('WhatsApp writes the button of a login code, in the language of the template', () => {
  const autofill = { kind: 'one_tap' as const, apps: [{ packageName: 'example.chai', signatureHash: 'K8a/AINcGX7' }] }
  for (const form of [{}, { autofill }]) {
    const buttons = authenticationComponents({ securityRecommendation: true, ...form }).at(-1)
    expect(buttons).toMatchObject({ buttons: [{ type: 'OTP' }] })
    expect(buttons).not.toHaveProperty('buttons.0.text')
  }
})
