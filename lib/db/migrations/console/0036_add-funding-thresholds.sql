CREATE TABLE "console"."funding_thresholds" (
	"environment" text NOT NULL,
	"account_id" text NOT NULL,
	"account_name" text,
	"currency" text,
	"kind" text NOT NULL,
	"value" numeric(24, 8) NOT NULL,
	"staff_id" uuid NOT NULL,
	"staff_name" text NOT NULL,
	"staff_role" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	"looked_at" timestamp (3) with time zone,
	"available" numeric(24, 8),
	"low_since" timestamp (3) with time zone,
	"noticed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "funding_thresholds_account" ON "console"."funding_thresholds" USING btree ("environment",lower(account_id));