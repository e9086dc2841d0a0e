import {
  emailSchema,
  passwordMaxLength,
  passwordMinLength,
  passwordMismatch,
  passwordTooLong,
  passwordTooShort,
} from '@parley/contracts/account/auth'
import { z } from 'zod'

type Passwords = { password: string; confirmPassword: string }
const match = ({ password, confirmPassword }: Passwords) => password === confirmPassword

/** Runs both rules whatever is wrong with the address. */
const when = () => true

/** The two passwords must match, which is checked first, and have at least 6 characters. */
export const signupSchema = z
  .object({
    email: emailSchema,
    password: z.string().max(passwordMaxLength, passwordTooLong),
    confirmPassword: z.string().max(passwordMaxLength, passwordTooLong),
  })
  .refine(match, { path: ['confirmPassword'], message: passwordMismatch, when })
  .refine((form) => !match(form) || form.password.length >= passwordMinLength, {
    path: ['password'],
    message: passwordTooShort,
    when,
  })

export type SignupForm = z.infer<typeof signupSchema>
