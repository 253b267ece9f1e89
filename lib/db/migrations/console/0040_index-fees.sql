CREATE TABLE "console"."index_fee_readings" (
	"environment" text PRIMARY KEY NOT NULL,
	"reading" bigint DEFAULT 0 NOT NULL,
	"reading_since" timestamp (3) with time zone,
	"as_of" timestamp (3) with time zone,
	"excluded" integer DEFAULT 0 NOT NULL,
	"stopped_because" text,
	"fees" integer DEFAULT 0 NOT NULL,
	"resume_at" timestamp (3) with time zone,
	"resume_since" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console"."index_fees" (
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"card_account_id" text,
	"transaction_id" text,
	"transaction_xid" text,
	"transaction_status" text,
	"intent" text,
	"status" text,
	"currency" text,
	"amount" numeric(24, 8),
	"change" numeric(24, 8),
	"created_at" timestamp (3) with time zone,
	"search_text" text NOT NULL,
	"record" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"reading" bigint NOT NULL,
	CONSTRAINT "index_fees_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
ALTER TABLE "console"."index_transactions" ADD COLUMN "fee_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "index_fees_id" ON "console"."index_fees" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "index_fees_xid" ON "console"."index_fees" USING btree ("environment",lower(transaction_xid));--> statement-breakpoint
CREATE INDEX "index_fees_transaction" ON "console"."index_fees" USING btree ("environment","transaction_id");--> statement-breakpoint
CREATE INDEX "index_fees_by_created" ON "console"."index_fees" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "index_fees_by_amount" ON "console"."index_fees" USING btree ("environment","currency","amount","id");--> statement-breakpoint
CREATE INDEX "index_fees_account" ON "console"."index_fees" USING btree ("environment","card_account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "index_fees_status" ON "console"."index_fees" USING btree ("environment","status","created_at","id");--> statement-breakpoint
CREATE INDEX "index_fees_intent" ON "console"."index_fees" USING btree ("environment","intent","created_at","id");--> statement-breakpoint
CREATE INDEX "index_fees_totals" ON "console"."index_fees" USING btree ("environment","currency","status","change");--> statement-breakpoint
CREATE INDEX "index_transactions_fee_due" ON "console"."index_transactions" USING btree ("environment","card_account_id") WHERE intent = 'fee' and fee_read_at is null;--> statement-breakpoint
DO $$
DECLARE extension_schema name;
BEGIN
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "index_fees_search" ON "console"."index_fees" USING gin ("search_text" %I.gin_trgm_ops)', extension_schema);
  END IF;
END
$$;
