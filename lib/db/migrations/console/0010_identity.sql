DROP INDEX "console"."directory_accounts_identity";--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "rejected_reason" text;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "identity_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "directory_accounts_identity" ON "console"."directory_accounts" USING btree ("environment","client_identity_status","created_at","id");