import { zodResolver } from '@hookform/resolvers/zod'
import {
  emailSchema,
  passwordMaxLength,
  passwordMinLength,
  passwordMismatch,
  passwordTooLong,
  passwordTooShort,
} from '@parley/contracts/account/auth'
import type { InvitationPreview } from '@parley/contracts/account/invitation-preview'
import { useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'
import { signUp } from '../../lib/auth/sign-in.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { Loading } from '../../ui/loading.tsx'
import { toast } from '../../ui/toast.ts'
import { AnswerInvitation, invitationWords } from './answer-invitation.tsx'
import styles from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { EmailField } from './email-field.tsx'
import { explain } from './explain.ts'
import { GoogleButton } from './google-button.tsx'
import { PasswordField } from './password-field.tsx'
import { Problem } from './problem.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useFollowedInvitation } from './use-followed-invitation.ts'

const failure = 'Failed to create account'
/** The server gives no reason where an address is taken; this names the likely way out. */
const advice = `${failure}. If you already have an account with this address, log in instead.`

/** The two password rules are said as a toast too, the mismatch first. */
function showPasswordRule({ password, confirmPassword }: FieldErrors<SignupForm>): void {
  const broken = [confirmPassword?.message, password?.message]
  const rule = [passwordMismatch, passwordTooShort].find((text) => broken.includes(text))
  if (rule) toast.error(rule)
}

/** Page to create an account; with the link of an invitation, for its address and into its workspace. */
export function SignupPage() {
  const followed = useFollowedInvitation()
  if (followed.kind === 'reading') return <Loading />
  if (followed.kind === 'none') return <NewAccount />
  if (followed.kind === 'ended')
    return (
      <>
        <Problem text={followed.why} />
        <NewAccount />
      </>
    )
  const { invitation, token } = followed
  return followed.email === undefined ? (
    <NewAccount invitation={invitation} />
  ) : (
    <AnswerInvitation invitation={invitation} token={token} email={followed.email} />
  )
}

/** Form to create an account with Google or with e-mail and password. */
function NewAccount({ invitation }: { invitation?: InvitationPreview }) {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    resolver: zodResolver(signupSchema),
    defaultValues: { email: invitation?.email ?? '', password: '', confirmPassword: '' },
  })
  const { isSubmitting } = form.formState
  // Said before the second one is typed, against which the form checks it first.
  const tellTooShort = () => {
    if (form.getValues('password').length >= passwordMinLength) form.clearErrors('password')
    else form.setError('password', { message: passwordTooShort })
  }

  const createAccount = form.handleSubmit(async ({ email, password }) => {
    setProblem(undefined)
    try {
      if ((await signUp({ email, password })) === 'left') return
    } catch (error) {
      const explained = explain(error, failure)
      setProblem(explained === failure ? advice : explained)
      toast.error(failure)
      return
    }
    if (invitation) {
      toast.success(`Account created! You are in ${invitation.workspaceName}.`)
      await navigate(paths.profileSetup)
      return
    }
    toast.success('Account created! Please verify your email.')
    await navigate(paths.verifyEmail)
  }, showPasswordRule)

  return (
    <AuthCard
      title={invitation ? `Join ${invitation.workspaceName}` : 'Create your account'}
      lead={invitation ? invitationWords(invitation) : '14-day free trial. No credit card needed.'}
      footer={
        <>
          Already have an account? <Link to={paths.login}>Log in</Link>
        </>
      }
    >
      <GoogleButton page="signup" />
      <form className={styles['form']} onSubmit={createAccount} noValidate>
        <EmailField control={form.control} name="email" fixed={invitation !== undefined} />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          kind="new"
          hint="At least 6 characters."
          onCheck={tellTooShort}
        />
        <PasswordField control={form.control} name="confirmPassword" label="Confirm Password" kind="new" />
        <Problem text={problem} />
        <SubmitButton label="Sign Up" pending={isSubmitting} />
      </form>
    </AuthCard>
  )
}

type Passwords = { password: string; confirmPassword: string }
const match = ({ password, confirmPassword }: Passwords) => password === confirmPassword

/** Runs both rules whatever is wrong with the address. */
const when = () => true

/** The two passwords must match, which is checked first, and have at least 6 characters. */
const signupSchema = z
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

type SignupForm = z.infer<typeof signupSchema>
