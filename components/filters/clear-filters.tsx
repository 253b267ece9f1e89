'use client'

import { Button } from '#components/ui/button.tsx'

export function ClearFilters({ isShown, onClear }: { isShown: boolean; onClear: () => void }) {
  if (!isShown) return null
  return (
    <Button variant="quiet" onClick={onClear}>
      Clear filters
    </Button>
  )
}
