import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { useUser } from '../../lib/user.ts'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { valuesOfUser } from './form-values.ts'
import { ProfileForm } from './profile-form.tsx'
import { SessionsCard } from './sessions/sessions-card.tsx'

/** Page 'Profile Settings': the form over the stored profile, and the sessions. */
export function ProfilePage() {
  const { data: user } = useUser()
  return (
    <Page description="How you appear to your team, where you can be reached, and the time zone of your screens.">
      {user ? (
        <ProfileForm
          initial={valuesOfUser(user)}
          submitLabel="Save Changes"
          user={user}
          onSaved={() => toast.success('Your profile has been updated successfully!')}
        >
          <SessionsCard timeZone={user.timezone || defaultTimeZone} />
          <DeleteAccountCard email={user.email} />
        </ProfileForm>
      ) : (
        <Loading />
      )}
    </Page>
  )
}
