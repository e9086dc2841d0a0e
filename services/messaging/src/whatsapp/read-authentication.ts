import type { Authentication } from '@parley/contracts/templates/template-authentication'
import type { AtWhatsApp, Component } from './component-schema.ts'

/** Returns the options of an authentication template; it is recognised by its button. */
export function authenticationOf(
  body: Component | undefined,
  footer: Component | undefined,
  buttons: Component | undefined,
): Authentication | undefined {
  const [button, ...more] = buttons?.buttons ?? []
  if (!button || more.length > 0) return undefined
  const address = URL.canParse(button.url ?? '') ? new URL(button.url ?? '') : undefined
  const isOtpAddress =
    address !== undefined && /(^|\.)whatsapp\.com$/.test(address.hostname) && /^\/otp\//.test(address.pathname)
  if (button.type !== 'OTP' && !(button.type === 'URL' && isOtpAddress)) return undefined
  const type = (button.otp_type ?? address?.searchParams.get('otp_type') ?? '').toUpperCase()
  const kind = autofillKinds[type]
  if (type !== 'COPY_CODE' && !kind) return undefined
  const expiresInMinutes = footer?.code_expiration_minutes
  return {
    securityRecommendation: body?.add_security_recommendation ?? false,
    ...(expiresInMinutes !== undefined && { expiresInMinutes }),
    ...(kind && { autofill: { kind, apps: appsOf(button, address) } }),
  }
}

const autofillKinds: Readonly<Record<string, 'one_tap' | 'zero_tap'>> = { ONE_TAP: 'one_tap', ZERO_TAP: 'zero_tap' }

/** Finds the apps, named beside the button or in its address. */
function appsOf({ supported_apps: apps }: AtWhatsApp, address: URL | undefined) {
  if (apps)
    return apps
      .slice(0, 5)
      .map(({ package_name: packageName, signature_hash: signatureHash }) => ({ packageName, signatureHash }))
  const hashes = address?.searchParams.getAll('signature_hash') ?? []
  const names = address?.searchParams.getAll('package_name') ?? []
  return names
    .slice(0, Math.min(5, hashes.length))
    .map((name, index) => ({ packageName: name.slice(0, 224), signatureHash: (hashes[index] ?? '').slice(0, 20) }))
}
