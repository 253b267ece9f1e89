'use client'

import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useSettled } from '#components/ui/use-settled.ts'
import { runAction } from '#lib/actions/run-action.ts'
import type { JobPreviewResult, JobSettings } from '#lib/console/bulk/types.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import { consoleUnreachable } from '#lib/queries/read.ts'

type PreviewedJob = {
  kind: BulkKind
  ids: string[] | null
  filters: Record<string, unknown>
  settings: JobSettings
  retryOf: string | undefined
  undoOf: string | undefined
}

/**
 * What a job would do, read again once a change of its settings has settled, while they are complete. `unread` says why there is no
 * preview, `fieldIssues` what is wrong with the settings.
 */
export function useJobPreview(
  jobId: string,
  { kind, ids, filters, settings, retryOf, undoOf }: PreviewedJob,
  { isOpen, isComplete }: { isOpen: boolean; isComplete: boolean },
) {
  const environment = useEnvironment()
  const current = JSON.stringify(settings)
  const settled = useSettled(current)
  // Not below the key of a list: a live update must not change what the person is about to confirm.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [environment, 'job-preview', jobId, settled],
    queryFn: () =>
      runAction('previewJob', {
        kind,
        environment,
        ids,
        filters,
        settings: JSON.parse(settled) as JobSettings,
        ...(retryOf && { retryOf }),
        ...(undoOf && { undoOf }),
      }),
    enabled: isOpen && isComplete,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isCurrent = isComplete && settled === current
  const preview = isCurrent && data?.kind === 'read' ? data.preview : undefined
  const unread = isCurrent ? previewProblem(data, error) : null
  return {
    preview,
    unread,
    fieldIssues: isCurrent && data?.kind === 'invalid' ? data.fields : {},
    isLoading: isComplete && !preview && unread === null && data?.kind !== 'invalid',
    isFetching,
    refetch,
  }
}

/** Issues of the fields are shown beside them. */
function previewProblem(data: JobPreviewResult | undefined, error: Error | null): string | null {
  if (data?.kind === 'refused') return `${data.outcome.happened} ${data.outcome.next}`
  if (data?.kind === 'invalid') {
    const { ids, filters } = data.fields
    return [ids && `The choice ${ids}.`, filters && `The filter ${filters}.`].filter(Boolean).join(' ') || null
  }
  return error ? consoleUnreachable : null
}
