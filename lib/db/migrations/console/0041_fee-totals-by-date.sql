DROP INDEX "console"."index_fees_totals";--> statement-breakpoint
CREATE INDEX "index_fees_totals" ON "console"."index_fees" USING btree ("environment","currency","status","change","created_at");