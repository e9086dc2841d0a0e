import type { z } from 'zod'

/** A request of the control API that names something which is not there, or is not valid. */
export class ControlError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/** @throws ControlError that names the first wrong field. */
export function parse<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ControlError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}`)
}
