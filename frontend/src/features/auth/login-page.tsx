import { zodResolver } from '@hookform/resolvers/zod'
import { emailSchema, passwordMaxLength, passwordTooLong } from '@parley/contracts/account/auth'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'
import { signInWithPassword } from '../../lib/auth/sign-in.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { toast } from '../../ui/toast.ts'
import styles from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { EmailField } from './email-field.tsx'
import { explain } from './explain.ts'
import { GoogleButton } from './google-button.tsx'
import { PasswordField } from './password-field.tsx'
import { SubmitButton } from './submit-button.tsx'

const loginSchema = z.object({
  email: emailSchema,
  password: z.string().min(1, 'Enter your password.').max(passwordMaxLength, passwordTooLong),
})

/** Page to sign in with Google or with e-mail and password. */
export function LoginPage() {
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(loginSchema), defaultValues: { email: '', password: '' } })
  const { isSubmitting } = form.formState

  const logIn = form.handleSubmit(async (credentials) => {
    try {
      if ((await signInWithPassword(credentials)) === 'left') return
    } catch (error) {
      const message = explain(error, 'Invalid email or password')
      form.setError('password', { message }, { shouldFocus: true })
      toast.error(message)
      return
    }
    toast.success('Logged in successfully!')
    await navigate(paths.dashboard)
  })

  return (
    <AuthCard
      title="Log in to Parley"
      footer={
        <>
          New to Parley? <Link to={paths.signup}>Sign up</Link>
        </>
      }
    >
      <GoogleButton page="login" />
      <form className={styles['form']} onSubmit={logIn} noValidate>
        <EmailField control={form.control} name="email" />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          kind="current"
          aside={<Link to={paths.forgotPassword}>Forgot password?</Link>}
        />
        <SubmitButton label="Log In" pending={isSubmitting} />
      </form>
    </AuthCard>
  )
}
