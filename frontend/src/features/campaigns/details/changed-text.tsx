import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { campaignTextOptions, useChangeCampaign } from '../api.ts'

/** Shows a template's current text beside the campaign's text, and asks whether the campaign is to continue with the current one. */
export function ChangedText({ campaign }: { campaign: Campaign }) {
  const { data, isLoadingError } = useQuery(campaignTextOptions(campaign))
  const change = useChangeCampaign(campaign.id)
  const mayNotSend = useIsRefused('campaigns:send')
  if (isLoadingError) return <p>The new text could not be loaded. Reload the page to try again.</p>
  if (!data) return <SkeletonBar height="180px" />
  const { text, changed } = data
  const resume = (newText?: string) =>
    change.mutate(
      { action: 'resume', ...(newText !== undefined && { newText }) },
      { onSuccess: () => toast.success(`${campaign.name} is resumed`) },
    )
  // Another member has changed it back meanwhile.
  if (!changed)
    return (
      <>
        <p>It reads as it did when the campaign was created.</p>
        {!mayNotSend && (
          <div>
            <Button size="small" loading={change.isPending} onClick={() => resume()}>
              Resume
            </Button>
          </div>
        )}
      </>
    )
  const problem = problemOf(changed)
  return (
    <>
      <h4>When the campaign was made</h4>
      <MessagePreview label="Text of the campaign" message={text} />
      <h4>Now</h4>
      <MessagePreview label="New text of the template" message={changed.text} />
      {problem && <p>{problem} Cancel this campaign, and create another one.</p>}
      {!problem && !mayNotSend && (
        <div>
          <Button size="small" loading={change.isPending} onClick={() => resume(changed.key)}>
            Continue with the new text
          </Button>
        </div>
      )}
    </>
  )
}

function problemOf({ unfilled, unsupported }: { unfilled: readonly string[]; unsupported: readonly string[] }) {
  if (unsupported.length > 0) return `Parley cannot fill in a part of the new text: ${unsupported.join(', ')}.`
  const keys = unfilled.map((key) => `{{${key}}}`).join(', ')
  return keys === '' ? undefined : `The campaign has no value for ${keys} of the new text.`
}
