import SettingOutlined from '@ant-design/icons/SettingOutlined'
import { useQuery } from '@tanstack/react-query'
import { type ChangeFlowUrl, FlowView } from '../../flow-builder/flow-view.tsx'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { automationSettingsOptions, botReplays, bots, botTests, sessions } from './api.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import type { BotsUrl, ChangeBotsUrl } from './url.ts'

/** The builder of one bot, with publication, settings and sessions. */
export function BotView({ id, url, change }: { id: string; url: BotsUrl; change: ChangeBotsUrl }) {
  const workspace = useQuery(automationSettingsOptions()).data
  const hours = useQuery(openingHoursOptions()).data
  const changeFlow: ChangeFlowUrl = (patch) => {
    const { panel, run, ...compared } = patch
    change({
      ...compared,
      // Bots answer people: what they would have done cannot be told.
      ...('panel' in patch && panel !== 'dry-run' && { panel: panel === 'runs' ? 'sessions' : panel }),
      ...('run' in patch && { session: run }),
    })
  }
  return (
    <FlowView
      key={id}
      id={id}
      flows={bots}
      runs={sessions}
      tests={botTests}
      replays={botReplays}
      url={{ ...url, panel: url.panel === 'sessions' ? 'runs' : url.panel, run: url.session }}
      change={changeFlow}
      commands={
        <Tooltip text="Settings" side="bottom">
          <IconButton label="Settings" onClick={() => change({ panel: 'settings', session: undefined })}>
            <SettingOutlined aria-hidden />
          </IconButton>
        </Tooltip>
      }
      facts={({ settings }) =>
        workspace && {
          hours,
          settings: {
            ...settings,
            handOverWords: [...settings.handOverWords, ...workspace.handOverWords],
            closedText: workspace.closedText,
          },
        }
      }
    >
      {(bot, closePanel) => <SettingsDialog bot={bot} open={url.panel === 'settings'} onClose={closePanel} />}
    </FlowView>
  )
}
