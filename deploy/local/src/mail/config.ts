import { baseConfigShape } from '@parley/service-kit/core/config'
import { z } from 'zod'

/** The environment of the mail catcher. */
export const configSchema = z.object({
  ...baseConfigShape,
  SMTP_PORT: z.coerce.number().int().min(1).max(65535).describe('Port that takes mail; PORT is that of the web page.'),
  DATA_DIR: z.string().min(1).describe('Folder for the caught mails.'),
})
