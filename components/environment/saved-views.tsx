'use client'

import { Bookmark, BookmarkPlus, Settings2 } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { Menu, type MenuItem } from '#components/ui/menu.tsx'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import { type SavedList, viewQuery, withoutFilters } from '#lib/api/saved-views.ts'
import type { SavedView } from './saved-view-dialogs.tsx'
import { useRead } from './use-environment.ts'

const SaveViewDialog = lazyDialog(() => import('./saved-view-dialogs.tsx').then((file) => file.SaveViewDialog))
const ManageViewsDialog = lazyDialog(() => import('./saved-view-dialogs.tsx').then((file) => file.ManageViewsDialog))

/** The view that each list got its columns from last: what was chosen since stays where the list is come back to. */
const shownColumns = new Map<SavedList, string>()

/** The saved views of a list, and the columns of its table that can be chosen. `list` is the id of that table, too. */
export function ListViews({ list, columns }: { list: SavedList; columns?: readonly DataColumn<never>[] }) {
  return (
    <>
      <SavedViews list={list} />
      {columns && <ColumnChooser tableId={list} columns={columns} />}
    </>
  )
}

/** The views of a list that the person has saved: filters and sort by the URL, and the columns of its table. */
function SavedViews({ list }: { list: SavedList }) {
  const { data } = useRead('listSavedViews')
  const router = useRouter()
  const pathname = usePathname()
  const query = viewQuery(useSearchParams().toString())
  const { columns, chooseColumns } = usePreferences()
  const { open: openDialog, opened } = useOpened<{ question: 'save' | 'manage' }>()
  const views = (data?.views ?? []).filter((view) => view.list === list)
  const hasColumns = (view: SavedView) => String(view.columns) === String(columns[list] ?? null)
  const active = views.find((view) => view.query === query && hasColumns(view))

  // The server opens a list with its default view; the columns are the browser's to choose.
  const openedId = views.find((view) => view.isDefault && view.query === query)?.id
  const showColumns = useEffectEvent((id: string | undefined) => {
    const opened = views.find((view) => view.id === id)
    if (opened && shownColumns.get(list) !== opened.id) showColumnsOf(opened)
  })
  useEffect(() => showColumns(openedId), [openedId])

  function showColumnsOf(view: SavedView) {
    shownColumns.set(list, view.id)
    if (!hasColumns(view)) chooseColumns(list, view.columns)
  }

  function open(view: SavedView) {
    showColumnsOf(view)
    router.push(`${pathname}?${view.query || withoutFilters}`)
  }

  const items: MenuItem[] = [
    ...(views.length > 0 ? [{ kind: 'heading' as const, label: 'Your views' }] : []),
    ...views.map((view): MenuItem => ({
      kind: 'choice',
      label: view.name,
      isChosen: view === active,
      onSelect: () => open(view),
      ...(view.isDefault ? { hint: 'Default' } : {}),
    })),
    ...(views.length > 0 ? [{ kind: 'separator' as const }] : []),
    {
      kind: 'action',
      label: 'Save this view…',
      icon: <BookmarkPlus />,
      onSelect: () => openDialog({ question: 'save' }),
    },
    ...(views.length > 0
      ? [
          {
            kind: 'action' as const,
            label: 'Manage views…',
            icon: <Settings2 />,
            onSelect: () => openDialog({ question: 'manage' }),
          },
        ]
      : []),
  ]

  return (
    <>
      <Menu
        label="Saved views"
        trigger={<Bookmark className={active ? 'fill-accent text-accent' : undefined} />}
        isSquare
        items={items}
      />
      {opened?.question === 'save' && (
        <SaveViewDialog key={opened.operationId} view={{ list, query, columns: columns[list] ?? null }} {...opened} />
      )}
      {opened?.question === 'manage' && <ManageViewsDialog views={views} {...opened} />}
    </>
  )
}
