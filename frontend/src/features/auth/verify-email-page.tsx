import CheckOutlined from '@ant-design/icons/CheckOutlined'
import InboxOutlined from '@ant-design/icons/InboxOutlined'
import LinkOutlined from '@ant-design/icons/LinkOutlined'
import { verificationPollMs } from '@parley/contracts/account/auth'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../app/paths.ts'
import { mustVerifyEmail } from '../../lib/auth/identity.ts'
import { reloadIdentity, resendVerification } from '../../lib/auth/sign-in.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { useAuthLoading, useIdentity } from '../../lib/user.ts'
import { ActionButton } from '../../ui/action.tsx'
import { Loading } from '../../ui/loading.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { explain } from './explain.ts'
import { Problem } from './problem.tsx'

/** Waits until the address is verified. */
export function VerifyEmailPage() {
  const navigate = useNavigate()
  const loading = useAuthLoading()
  const identity = useIdentity()
  const waiting = identity !== null && mustVerifyEmail(identity)
  const waited = useRef(false)
  useVerificationPoll(waiting)

  useEffect(() => {
    if (loading) return
    if (waiting) {
      waited.current = true
      return
    }
    if (identity && waited.current) toast.success('Email Verified!')
    void navigate(identity ? paths.profileSetup : paths.signup, { replace: true })
  }, [loading, waiting, identity, navigate])

  if (!waiting) return <Loading />
  return (
    <AuthCard
      title="Verify your email"
      lead={
        <>
          We sent a link to <strong>{identity.email}</strong>. This page will continue automatically once you open it.
        </>
      }
      footer={<Link to={paths.login}>Back to login</Link>}
    >
      <ul className={styles['tips']}>
        <li>
          <LinkOutlined aria-hidden />
          <span>Click the link in the email to verify your address.</span>
        </li>
        <li>
          <InboxOutlined aria-hidden />
          <span>No email? Check your spam folder.</span>
        </li>
      </ul>
      <ResendButton />
    </AuthCard>
  )
}

const failure = 'Failed to resend verification email'

/** Sends the mail once more; after one success it has done its work. */
function ResendButton() {
  const [state, setState] = useState<'ready' | 'sending' | 'sent'>('ready')
  const [problem, setProblem] = useState<string>()

  const resend = async () => {
    if (state !== 'ready') return
    setState('sending')
    setProblem(undefined)
    try {
      await resendVerification()
      setState('sent')
    } catch (error) {
      setState('ready')
      setProblem(explain(error, failure))
      toast.error(failure)
    }
  }

  return (
    <div className={styles['actions']} aria-live="polite">
      <Problem text={problem} />
      <ActionButton
        large
        block
        disabled={state === 'sent'}
        aria-busy={state === 'sending'}
        onClick={() => void resend()}
      >
        {state === 'sent' && <CheckOutlined aria-hidden />}
        {state === 'sent' ? 'Email Sent!' : 'Resend verification email'}
      </ActionButton>
    </div>
  )
}

/**
 * Asks every 3 seconds whether the address is verified, and at once when the tab comes to the front, which is where a person
 * lands after opening the link. An answer that fails is asked for again by the next turn.
 */
function useVerificationPoll(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    let asking = false
    const ask = async () => {
      if (asking) return
      asking = true
      await reloadIdentity(stop.signal).catch(() => {})
      asking = false
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') void ask()
    }
    const timer = setInterval(() => void ask(), verificationPollMs)
    document.addEventListener('visibilitychange', onVisible)
    void ask()
    return () => {
      stop.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [active])
}
