import LoadingOutlined from '@ant-design/icons/LoadingOutlined'
import { ActionButton } from '../../ui/action.tsx'
import styles from './google-button.module.css'
import mark from './google-mark.svg'
import { Problem } from './problem.tsx'
import { useGoogleSignIn } from './use-google-sign-in.ts'

/** Button for Google, then a divider before the form. It stays enabled while the popup is open, for a second try. */
export function GoogleButton({ page }: { page: 'login' | 'signup' }) {
  const { pending, problem, signIn } = useGoogleSignIn(page)
  return (
    <div className={styles['google']}>
      <ActionButton large block aria-busy={pending} onClick={signIn}>
        {pending ? <LoadingOutlined aria-hidden /> : <img src={mark} width={18} height={18} alt="" />}
        Continue with Google
      </ActionButton>
      <Problem text={problem} />
      <p className={styles['divider']}>or</p>
    </div>
  )
}
