DROP INDEX "console"."index_fees_totals";--> statement-breakpoint
DROP INDEX "console"."index_transactions_mcc_amount";--> statement-breakpoint
DROP INDEX "console"."index_transactions_dispute_opened";--> statement-breakpoint
CREATE INDEX "index_fees_intent_amount" ON "console"."index_fees" USING btree ("environment","intent","currency","amount","id");--> statement-breakpoint
CREATE INDEX "index_transactions_intent_amount" ON "console"."index_transactions" USING btree ("environment","intent","currency","amount","id","status","entry_type");--> statement-breakpoint
CREATE INDEX "index_transactions_status_amount" ON "console"."index_transactions" USING btree ("environment","status","currency","amount","id") WHERE status <> 'posted';--> statement-breakpoint
CREATE INDEX "index_fees_totals" ON "console"."index_fees" USING btree ("environment","currency","status","intent","change","created_at");--> statement-breakpoint
CREATE INDEX "index_transactions_mcc_amount" ON "console"."index_transactions" USING btree ("environment","mcc","currency","amount","id","status","entry_type");--> statement-breakpoint
CREATE INDEX "index_transactions_dispute_opened" ON "console"."index_transactions" USING btree ("environment","dispute_opened_at","id") WHERE dispute_opened_at is not null;