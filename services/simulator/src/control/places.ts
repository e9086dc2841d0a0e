import { z } from 'zod'
import { newNumber, type World } from '../world.ts'

const schema = z.object({
  name: z.string().min(1).max(120).default('Parley Demo'),
  displayNumber: z
    .string()
    .regex(/^\+?\d{7,15}$/)
    .optional(),
  throughput: z.enum(['STANDARD', 'HIGH']).default('STANDARD'),
  onBusinessApp: z.boolean().default(false),
  limitTier: z.string().max(40).default('TIER_2K'),
  /** Milliseconds until the verdict on a template; `null` leaves it to a person. */
  reviewMs: z.number().int().min(0).nullable().default(2000),
  registered: z.boolean().default(true),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).default('GREEN'),
  /** The account that the number joins; where it is unknown, a new one is made with this id. */
  accountId: z
    .string()
    .regex(/^\d{5,20}$/)
    .optional(),
})

/** Makes what a business would get from Meta: an app with its secret, an account, a number, a token. */
export function createPlaces(world: World) {
  function create(input: z.infer<typeof schema>) {
    const account = (input.accountId && world.accounts.get(input.accountId)) || createAccount(input)
    const app = world.apps.get(account.appId)
    const id = world.random.digits(15)
    const digits = input.displayNumber?.replace('+', '') ?? `1555${world.random.digits(7)}`
    const number = world.numbers.put(id, {
      ...newNumber({ id, accountId: account.id, displayNumber: digits, name: input.name }),
      quality: input.quality,
      usualQuality: input.quality,
      throughput: input.throughput,
      onBusinessApp: input.onBusinessApp,
      status: input.registered ? 'CONNECTED' : 'PENDING',
      registered: input.registered,
    })
    const token = `EAA${world.random.token(60)}`
    world.tokens.put(token, {
      token,
      appId: account.appId,
      accountIds: [account.id],
      scopes: ['whatsapp_business_messaging', 'whatsapp_business_management'],
      expiresAt: null,
      numberId: number.id,
    })
    return {
      phoneNumberId: number.id,
      displayNumber: `+${number.displayNumber}`,
      accountId: account.id,
      appId: account.appId,
      appSecret: app?.secret ?? '',
      accessToken: token,
    }
  }

  function createAccount({ name, reviewMs, limitTier, accountId }: z.infer<typeof schema>) {
    const appId = world.random.digits(16)
    world.apps.put(appId, { id: appId, secret: world.random.bytes(16).toString('hex'), callback: null })
    const id = accountId ?? world.random.digits(15)
    // A business would make it in the platform's own editor.
    const form = { name: 'Book a visit', status: 'PUBLISHED', endpointUri: null } as const
    world.forms.put(`${id}1`, { id: `${id}1`, accountId: id, ...form })
    return world.accounts.put(id, {
      id,
      appId,
      name,
      timeZone: '71',
      subscribed: false,
      override: null,
      reviewMs,
      limitTier,
      usualTier: null,
    })
  }
  return { schema, create }
}
